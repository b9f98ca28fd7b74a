import type { JsonSchema } from "./types.js";

type ObjectSchema = { [keyword: string]: unknown };

const COMPOSITIONS = ["allOf", "anyOf", "oneOf", "$ref"];
/** By schema: definitions are handed out again and again. */
const flattened = new WeakMap<ObjectSchema, ObjectSchema>();

/**
 * A tool's schema as every provider takes it: `type: "object"`, and nothing composed at its root, where Anthropic, OpenAI and Gemini
 * refuse `anyOf`, `oneOf` and `allOf`, and with them the whole request. The branches' properties are then properties of the root, and
 * what all branches require is required; the rest is left to the tool's server to check. Other schemas are handed back as they are.
 */
export function rootObject(schema: JsonSchema): ObjectSchema {
  if (typeof schema !== "object" || schema === null) return { type: "object", properties: {} };
  if (schema["type"] === "object" && !COMPOSITIONS.some((keyword) => keyword in schema)) return schema;
  let flat = flattened.get(schema);
  if (!flat) flattened.set(schema, (flat = flatten(schema, { root: schema, left: MOST }, 0)));
  return flat;
}

/** References that lead back into themselves end here, after so many levels and properties: servers' schemas are strangers' work. */
const MAX_DEPTH = 8;
const MOST = 10_000;

interface Work {
  root: ObjectSchema;
  /** Properties that may still be looked at. */
  left: number;
}

function flatten(schema: ObjectSchema, work: Work, depth: number): ObjectSchema {
  const { type: _, $ref, allOf, anyOf, oneOf, properties, required, ...rest } = schema;
  // What the root itself says of a property stands, and then what comes first.
  const known = new Map(Object.entries(record(properties)));
  const demanded = new Set(strings(required));
  work.left -= known.size + demanded.size + 1;
  const all = [...list(allOf), ...(typeof $ref === "string" ? [lookUp($ref, work.root)] : [])];
  for (const branches of depth < MAX_DEPTH ? [all, list(anyOf), list(oneOf)] : []) {
    const flat = branches.map((branch) => (work.left > 0 ? flatten(record(branch), work, depth + 1) : {}));
    for (const branch of flat) {
      for (const [name, property] of Object.entries(record(branch["properties"]))) if (!known.has(name)) known.set(name, property);
    }
    const demands = flat.map((branch) => new Set(strings(branch["required"])));
    const isOfAll = (name: string) => branches === all || demands.every((names) => names.has(name));
    for (const name of new Set(demands.flatMap((names) => [...names]))) if (isOfAll(name)) demanded.add(name);
  }
  const flat = { type: "object", properties: Object.fromEntries(known) };
  return { ...flat, ...(demanded.size > 0 && { required: [...demanded] }), ...rest };
}

/** What a local reference (`#`, `#/$defs/…`) stands for. */
function lookUp(reference: string, root: ObjectSchema): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  const path = reference.slice(2).split("/").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  return path.reduce((at, key) => record(Object.hasOwn(at, key) ? at[key] : undefined), root);
}

function record(value: unknown): ObjectSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as ObjectSchema) : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function strings(value: unknown): string[] {
  return list(value).filter((item): item is string => typeof item === "string");
}
