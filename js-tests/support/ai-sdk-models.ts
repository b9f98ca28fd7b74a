// The real provider packages of each major, speaking to a server on loopback.
import { createAnthropic as anthropic7 } from "@ai-sdk/anthropic";
import { createOpenAI as openai7 } from "@ai-sdk/openai";
import type { LanguageModel } from "ai";
import { createAnthropic as anthropic5 } from "anthropic5";
import { createAnthropic as anthropic6 } from "anthropic6";
import { createOpenAI as openai5 } from "openai5";
import { createOpenAI as openai6 } from "openai6";
import type { WireName } from "./wires.js";

const openai = { 5: openai5, 6: openai6, 7: openai7 };
const anthropic = { 5: anthropic5, 6: anthropic6, 7: anthropic7 };

export function modelOn(major: 5 | 6 | 7, wire: WireName, baseURL: string): LanguageModel {
  const settings = { baseURL, apiKey: "none" };
  if (wire === "anthropic") return anthropic[major](settings)("claude-sonnet-4-5") as LanguageModel;
  const provider = openai[major](settings);
  return (wire === "openai-chat" ? provider.chat("gpt-5.4") : provider.responses("gpt-5.4")) as LanguageModel;
}
