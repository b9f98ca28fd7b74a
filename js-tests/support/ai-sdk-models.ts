// The real provider packages of each major, speaking to a server on loopback.
import { createAnthropic as anthropic7 } from "@ai-sdk/anthropic";
import { createOpenAI as openai7 } from "@ai-sdk/openai";
import type { LanguageModel } from "ai";
import { createAnthropic as anthropic5 } from "anthropic5";
import { createAnthropic as anthropic6 } from "anthropic6";
import { createAnthropic as anthropic6Oldest } from "anthropic6-oldest";
import { createAnthropic as anthropic7Oldest } from "anthropic7-oldest";
import { createOpenAI as openai5 } from "openai5";
import { createOpenAI as openai6 } from "openai6";
import { createOpenAI as openai6Oldest } from "openai6-oldest";
import { createOpenAI as openai7Oldest } from "openai7-oldest";
import type { WireName } from "./wires.js";

const latest = { openai: { 5: openai5, 6: openai6, 7: openai7 }, anthropic: { 5: anthropic5, 6: anthropic6, 7: anthropic7 } };
/** The oldest releases that the providers' own ways of searching work with. 5 has none. */
const oldest = {
  openai: { 5: openai5, 6: openai6Oldest, 7: openai7Oldest },
  anthropic: { 5: anthropic5, 6: anthropic6Oldest, 7: anthropic7Oldest },
};

export function modelOn(major: 5 | 6 | 7, wire: WireName, baseURL: string, age: "latest" | "oldest" = "latest"): LanguageModel {
  const settings = { baseURL, apiKey: "none" };
  const { openai, anthropic } = age === "latest" ? latest : oldest;
  if (wire === "anthropic") return anthropic[major](settings)("claude-sonnet-4-5") as LanguageModel;
  const provider = openai[major](settings);
  return (wire === "openai-chat" ? provider.chat("gpt-5.4") : provider.responses("gpt-5.4")) as LanguageModel;
}
