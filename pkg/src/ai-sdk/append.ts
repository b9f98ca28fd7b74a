import { TEXT_FORM } from "./replay.js";
import { aiSchema } from "./schema.js";
import { madeTool, type Kit, type Offer, type Strategy } from "./strategy.js";
import type { ToolDefinition } from "../types.js";

/** What is loaded joins the end of the tools array. */
export function append(kit: Kit): Strategy {
  return {
    offers: () => {
      const definitions = kit.session.tools() as ToolDefinition[];
      return kit.session.names().map((name, i) => offer(kit, name, definitions[i] as ToolDefinition));
    },
    form: TEXT_FORM,
    answerTool: kit.searchTool,
  };
}

/** A tool as it is sent where nothing is special about it. */
export function offer(kit: Kit, name: string, definition: ToolDefinition): Offer {
  return { name, tool: name === kit.searchTool ? searchTool(kit, definition) : kit.toolOf(name, definition) };
}

const made = new WeakMap<Kit, ReturnType<typeof madeTool>>();

/** The search tool, answering in text; one object for a request. */
export function searchTool(kit: Kit, { description, inputSchema }: ToolDefinition) {
  const known = made.get(kit);
  if (known) return known;
  const tool = madeTool({
    description,
    inputSchema: aiSchema(inputSchema),
    execute: (input, { toolCallId }) => kit.search(input, toolCallId),
  });
  made.set(kit, tool);
  return tool;
}
