import { objectOf } from "../calls.js";
import { notShown, readOutput, textOfOutput } from "../output.js";
import type { Output } from "./replay.js";

/** As the SDK itself does it. */
export function asOutput(output: unknown): Output {
  return typeof output === "string" ? { type: "text", value: output } : { type: "json", value: output ?? null };
}

/**
 * A `toModelOutput` for results of MCP servers as they are: their text, their images as images, and what the tool calls an error as
 * one. Any other output is as the SDK does it.
 *
 * @param latest Whether files stand in messages as only version 7 has them.
 */
export function mcpOutput(given: unknown, latest: boolean): Output {
  const { toolCallId, input, output } = objectOf(given);
  const in5 = toolCallId === undefined || input === undefined;
  const result = in5 ? given : output;
  const { content } = objectOf(result);
  if (!Array.isArray(content) || !content.every((block) => KINDS.includes(String(objectOf(block)["type"])))) return asOutput(result);
  const read = readOutput(result);
  const isImage = (part: object) => "mimeType" in part && String(part.mimeType).startsWith("image/");
  if (!read.parts.some(isImage)) return { type: read.isError ? "error-text" : "text", value: textOfOutput(read) };
  const value = read.parts.map((part) => {
    if ("text" in part) return { type: "text", text: part.text };
    const { data, mimeType: mediaType } = part;
    if (!isImage(part)) return { type: "text", text: notShown(part) };
    if (in5) return { type: "media", data, mediaType };
    return latest ? { type: "file", data: { type: "data", data }, mediaType } : { type: "image-data", data, mediaType };
  });
  return { type: "content", value };
}

/** Of the content blocks of MCP. */
const KINDS = ["text", "image", "audio", "resource", "resource_link"];
