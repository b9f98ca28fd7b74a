import type { ToolDefinition } from "tool-search";

/** The second tool of the strategy "bridge": it calls what a search found, so that the tools array never changes. */
export const BRIDGE: ToolDefinition = {
  name: "callTool",
  description: "Calls a tool that toolSearch has found, with arguments that fit the parameters shown there.",
  inputSchema: {
    type: "object",
    properties: {
      name: { type: "string", description: "The tool's name as toolSearch gave it" },
      arguments: { type: "object", description: "Its arguments" },
    },
    required: ["name", "arguments"],
    additionalProperties: false,
  },
};
