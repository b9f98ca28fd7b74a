// @ts-check
// The model of the run: scripted, unless a real one is named.
import { scriptedModel } from "./script.mjs";

/** @typedef {import("./requests.mjs").Model} Model */

/** What is wrong with the command line. */
export class UsageError extends Error {}

/** @type {Record<string, { key: string, load: (id: string) => Promise<Model> }>} */
const PROVIDERS = {
  anthropic: { key: "ANTHROPIC_API_KEY", load: async (id) => (await import("@ai-sdk/anthropic")).anthropic(id) },
  openai: { key: "OPENAI_API_KEY", load: async (id) => (await import("@ai-sdk/openai")).openai(id) },
  google: { key: "GOOGLE_GENERATIVE_AI_API_KEY", load: async (id) => (await import("@ai-sdk/google")).google(id) },
};

/**
 * @typedef {object} ChosenModel
 * @property {Model} model
 * @property {string} name `provider:id`, or "scripted".
 * @property {() => string[]} problems What the script expected and did not find; nothing for a real model.
 */

/**
 * @param {string | undefined} name `provider:id`; the provider's key is read from the environment. Left out: scripted.
 * @returns {Promise<ChosenModel>}
 */
export async function chooseModel(name) {
  if (name === undefined) {
    const { model, problems } = scriptedModel();
    return { model, name: "scripted", problems };
  }
  const colon = name.indexOf(":");
  const provider = Object.hasOwn(PROVIDERS, name.slice(0, colon)) ? PROVIDERS[name.slice(0, colon)] : undefined;
  const id = name.slice(colon + 1);
  if (colon < 0 || !provider || id === "") {
    throw new UsageError(`--model takes provider:id, where provider is one of ${Object.keys(PROVIDERS).join(", ")}`);
  }
  if (!process.env[provider.key]) throw new UsageError(`--model ${name} needs a key in the environment variable ${provider.key}`);
  return { model: await provider.load(id), name, problems: () => [] };
}
