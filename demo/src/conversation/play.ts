// Plays a conversation with a session of the package: what the model is sent before each of its answers, and what it gets back.
import type { SearchReply, ToolSearch, ToolSearchSession } from "tool-search";
import { exampleOf } from "./example.ts";
import type { Step, StepView } from "./types.ts";

/** A step with what came of it. */
export type Event =
  | { kind: "user"; text: string }
  | { kind: "answer"; text: string }
  | { kind: "search"; query: string; reply: SearchReply }
  | { kind: "call"; name: string; input: string; result: string; refused: boolean };

/** One request and the event that answers it. */
export interface Turn {
  step: number;
  /** Callable names activated before it. */
  activated: readonly string[];
  /** How many events stand before it. */
  history: number;
}

export interface Played {
  session: ToolSearchSession;
  events: Event[];
  turns: Turn[];
  views: StepView[];
}

export function play(engine: ToolSearch, session: ToolSearchSession, steps: readonly Step[]): Played {
  const events: Event[] = [];
  const turns: Turn[] = [];
  const views: StepView[] = [];
  /** Found and not yet called, best first. */
  let found: string[] = [];
  for (const [at, step] of steps.entries()) {
    const view: StepView = { reply: "", loaded: [], called: "", input: "", refused: false, skipped: false };
    views.push(view);
    if (step.kind === "search" && session.searchToolName === undefined) {
      view.skipped = true;
      found = engineFinds(engine, step.query);
      continue;
    }
    if (step.kind !== "user") turns.push({ step: at, activated: session.activated, history: events.length });
    if (step.kind === "user" || step.kind === "answer") {
      events.push({ kind: step.kind, text: step.text });
    } else if (step.kind === "search") {
      const reply = session.handle({ query: step.query });
      events.push({ kind: "search", query: step.query, reply });
      found = reply.result?.matches.map(({ name }) => name) ?? [];
      Object.assign(view, { reply: reply.text, loaded: reply.loaded });
    } else {
      const event = called(engine, session, step, found);
      events.push(event);
      found = found.filter((name) => name !== event.name);
      Object.assign(view, { reply: event.result, called: event.name, input: event.input, refused: event.refused });
    }
  }
  return { session, events, turns, views };
}

function called(engine: ToolSearch, session: ToolSearchSession, step: Step & { kind: "call" }, found: readonly string[]) {
  const asked = step.tool || found[0] || session.names().find((name) => name !== session.searchToolName) || "";
  const resolution = session.resolve(asked);
  const name = "name" in resolution ? resolution.name : asked;
  const input = step.input || JSON.stringify(exampleOf(engine.get(name)?.inputSchema));
  const refused = resolution.status !== "ready";
  return { kind: "call" as const, name, input, result: refused ? resolution.text : step.result, refused };
}

/** What the model would have picked by itself, with every definition before it. */
function engineFinds(engine: ToolSearch, query: string): string[] {
  try {
    return engine.search(query).matches.map(({ name }) => name);
  } catch {
    return []; // a query without words
  }
}
