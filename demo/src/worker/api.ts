// Everything that is decided or counted happens here, off the main thread: typing does not wait for it.
import type { Format, ToolSearch } from "tool-search";
import { difference, type Run } from "../bytes/difference.ts";
import { documentOf, toolsText, type Document, type Text } from "../bytes/documents.ts";
import { Catalog } from "../catalog/catalog.ts";
import type { CatalogView, Choice, OwnReport, OwnText, ServersFile } from "../catalog/types.ts";
import { throughCache } from "../conversation/cache.ts";
import { play, type Played } from "../conversation/play.ts";
import { replyText } from "../conversation/reply.ts";
import { requestsOf, type Setting } from "../conversation/requests.ts";
import { rehearse } from "../conversation/scenarios.ts";
import { STRATEGIES, type ConversationView, type Scenario, type Step, type Strategy } from "../conversation/types.ts";
import { find, type FoundView } from "../search/find.ts";

/** Where deferral begins. */
export interface Limits {
  /** Tokens. */
  contextWindow: number;
  /** Percent of the context window from which on tools are deferred. */
  threshold: number;
}

/** A conversation to be played. */
export interface Talk {
  system: string;
  steps: Step[];
}

/** Which text of which request is asked for. */
export interface Wanted {
  what: "section" | "tools" | "reply";
  strategy: Strategy;
  /** The step that answers the request. */
  step: number;
  format: Format;
  indented: boolean;
}

/** What the page may ask. */
export class Playground {
  readonly #catalog = new Catalog();
  /** Other engines over the catalog, once they were asked: the plain scorer, and the one that knows what words mean. */
  #additive: ToolSearch | undefined;
  #meaning: ToolSearch | undefined;
  /** The engine with the reader's limits, and the conversation that was played with it. */
  #limited: { limits: string; engine: ToolSearch } | undefined;
  #played: { played: Played; setting: Setting } | undefined;

  setServers(file: ServersFile): void {
    this.#catalog.setServers(file);
  }

  setOwn(texts: OwnText[]): OwnReport {
    return this.#catalog.setOwn(texts);
  }

  choose(choice: Choice): CatalogView {
    for (const engine of [this.#additive, this.#meaning]) engine?.free();
    this.#limited?.engine.free();
    this.#additive = this.#meaning = this.#limited = this.#played = undefined;
    return this.#catalog.choose(choice);
  }

  /** A scenario made of the catalog's own tools. */
  rehearse(): Scenario {
    return rehearse(this.#catalog.engine);
  }

  converse(limits: Limits, { system, steps }: Talk): ConversationView {
    this.#played?.played.session.free();
    const engine = this.#with(limits);
    const session = engine.session();
    const played = play(engine, session, steps);
    const setting = { engine, system };
    this.#played = { played, setting };
    const requests = Object.fromEntries(STRATEGIES.map((strategy) => [strategy, throughCache(requestsOf(strategy, played, setting))]));
    return { plan: session.plan, steps: played.views, requests: requests as ConversationView["requests"] };
  }

  /** With `byMeaning` the ranking that knows what words mean beside the package's default, else that beside the plain scorer. */
  async find(query: string, byMeaning: boolean): Promise<FoundView> {
    if (byMeaning) {
      // A megabyte, for those who ask for it.
      const { meaning } = await import("tool-search/meaning");
      this.#meaning ??= this.#catalog.with({ meaning });
      return find(this.#meaning, this.#catalog.engine, query);
    }
    this.#additive ??= this.#catalog.with({ ranking: "additive" });
    return find(this.#catalog.engine, this.#additive, query);
  }

  document(wanted: Wanted): Document {
    return documentOf(this.#text(wanted), wanted.what !== "tools");
  }

  /** The whole of what `document` may show the beginning of. */
  text(wanted: Wanted): string {
    return this.#text(wanted).text;
  }

  /** What changed since the request before; nothing for the first. */
  difference(strategy: Strategy, step: number): Run[] {
    if (!this.#played) return [];
    const requests = requestsOf(strategy, this.#played.played, this.#played.setting);
    const at = requests.findIndex((request) => request.step === step);
    const [before, now] = [requests[at - 1], requests[at]];
    return before && now ? difference(before.sent, now.sent) : [];
  }

  #text({ what, strategy, step, format, indented }: Wanted): Text {
    const turn = this.#played?.played.turns.find((turn) => turn.step === step);
    if (!this.#played || !turn) return { text: "", note: "There is no request." };
    const { played, setting } = this.#played;
    if (what === "tools") return toolsText(setting.engine, played, turn, strategy, format, indented);
    if (what === "section") {
      const text = played.session.prompt();
      return { text, note: text ? "" : "Nothing is deferred, so the prompt has no such section." };
    }
    const event = played.events[turn.history];
    if (event?.kind === "search") return { text: replyText(event.reply, strategy, format, setting.engine), note: "" };
    if (event?.kind === "call") return { text: event.result, note: "" };
    return { text: "", note: "This answer of the model calls nothing, so nothing is sent back." };
  }

  #with({ contextWindow, threshold }: Limits): ToolSearch {
    const limits = `${contextWindow} ${threshold}`;
    if (this.#limited?.limits !== limits) {
      this.#limited?.engine.free();
      this.#limited = { limits, engine: this.#catalog.with({ contextWindow, threshold: { percent: threshold } }) };
    }
    return this.#limited.engine;
  }
}
