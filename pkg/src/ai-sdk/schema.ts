import type { ToolSet } from "ai";
import { ToolSearchError } from "../errors.js";
import { oneLine } from "../replies.js";
import type { JsonSchema } from "../types.js";

/** Any kind of tool that the installed version of `ai` takes. */
export type AiTool = ToolSet[string];

/** Whether a value fits a schema, as the SDK's own schema objects say it. */
export type Checked = { success: true; value: unknown } | { success: false; error: Error };
export type Check = (value: unknown) => Checked | PromiseLike<Checked>;

/** The marks of the SDK's own schema objects: one on all majors, and another that 5 also looks for. */
const AI_SCHEMA = Symbol.for("vercel.ai.schema");
const AI_VALIDATOR = Symbol.for("vercel.ai.validator");

interface AiSchema {
  jsonSchema: unknown;
  validate?: Check | undefined;
}

interface StandardSchema {
  "~standard": {
    jsonSchema?: { input?(options: { target: string }): JsonSchema };
    validate?(value: unknown): StandardResult | PromiseLike<StandardResult>;
  };
}

interface StandardResult {
  value?: unknown;
  issues?: readonly { message: string; path?: readonly unknown[] | undefined }[] | undefined;
}

/** A schema object such as `jsonSchema()` makes, for all majors. */
export function aiSchema(jsonSchema: JsonSchema | undefined, validate?: Check): unknown {
  return { [AI_SCHEMA]: true, [AI_VALIDATOR]: true, jsonSchema: jsonSchema ?? { type: "object" }, validate };
}

/** The JSON Schema of whatever the SDK takes for a schema. @throws ToolSearchError `invalid_tool` */
export async function readSchema(name: string, schema: unknown): Promise<JsonSchema> {
  if (schema === undefined || schema === null) return { type: "object", properties: {} };
  try {
    const plain = unwrapped(schema);
    if (isAiSchema(plain)) return (await plain.jsonSchema) as JsonSchema;
    if (isStandardSchema(plain) && plain["~standard"].jsonSchema?.input) return plain["~standard"].jsonSchema.input({ target: "draft-07" });
    const { asSchema } = await import("ai"); // zod before 4.2, Standard Schema libraries without JSON Schema
    return (await asSchema(plain as never).jsonSchema) as JsonSchema;
  } catch (error) {
    if (error instanceof ToolSearchError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ToolSearchError("invalid_tool", `The schema of the tool "${name}" cannot be read as JSON Schema: ${reason}`, {
      cause: error,
    });
  }
}

/** The check that a schema of the SDK brings with it: zod's, a Standard Schema's, or the `validate` of `jsonSchema()`. */
export function ownCheck(schema: unknown): Check | undefined {
  const plain = unwrapped(schema);
  if (isAiSchema(plain)) return plain.validate;
  if (!isStandardSchema(plain)) return undefined;
  const standard = plain["~standard"];
  return standard.validate && (async (value) => checked(await standard.validate?.(value)));
}

function checked(result: StandardResult | undefined): Checked {
  if (!result?.issues) return { success: true, value: result?.value };
  const problems = result.issues.map(({ message, path = [] }) => {
    const keys = path.map((segment) => (typeof segment === "object" && segment !== null && "key" in segment ? segment.key : segment));
    return `- ${oneLine(keys.join(".")) || "arguments"}: ${message}`; // the caller's own words
  });
  return { success: false, error: new Error(problems.join("\n")) };
}

/**
 * A check by a JSON Schema alone. `@cfworker/json-schema` interprets the schema, so it runs where `eval` is refused.
 * A schema that it cannot work with (a reference to nowhere, endless recursion, a broken pattern) lets everything pass.
 *
 * @param foreign A server wrote it: its regular expressions are not run here, where one could take forever.
 */
export async function schemaCheck(schema: JsonSchema, foreign: boolean): Promise<Check> {
  const { Validator } = await import("@cfworker/json-schema");
  try {
    const validator = new Validator((foreign ? withoutPatterns(schema) : schema) as JsonSchema, draftOf(schema), false);
    return (value) => {
      try {
        const { valid, errors } = validator.validate(value);
        return valid ? { success: true, value } : { success: false, error: new Error(problems(errors)) };
      } catch {
        return { success: true, value };
      }
    };
  } catch {
    return (value) => ({ success: true, value });
  }
}

/** MCP's schemas are of 2020-12 unless they say otherwise. */
function draftOf(schema: JsonSchema) {
  const dialect = typeof schema === "object" ? String(schema["$schema"] ?? "") : "";
  if (dialect.includes("draft-04")) return "4";
  if (/draft-0[67]/.test(dialect)) return "7";
  return dialect.includes("2019-09") ? "2019-09" : "2020-12";
}

/** Keywords whose keys are names, and keywords whose values are data. */
const NAMED = ["properties", "$defs", "definitions", "dependentSchemas"];
const DATA = ["enum", "const", "default", "examples"];

function withoutPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutPatterns);
  if (typeof schema !== "object" || schema === null) return schema;
  // Which properties are additional depends on the patterns.
  const left =
    "patternProperties" in schema ? ["patternProperties", "additionalProperties", "unevaluatedProperties", "pattern"] : ["pattern"];
  const kept = Object.entries(schema).filter(([keyword]) => !left.includes(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => {
      if (DATA.includes(keyword)) return [keyword, value];
      if (!NAMED.includes(keyword) || typeof value !== "object" || value === null) return [keyword, withoutPatterns(value)];
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutPatterns(member)]))];
    }),
  );
}

/** The most problems that one answer names. */
const MANY = 10;

/** Only what is wrong itself: an error in a property is repeated for everything around it. */
function problems(errors: readonly { keyword: string; instanceLocation: string; error: string }[]): string {
  const inner = errors.filter(
    ({ keyword }) => !["properties", "items", "prefixItems", "$ref", "allOf", "additionalItems"].includes(keyword),
  );
  const lines = new Set(
    (inner.length > 0 ? inner : errors).map(
      ({ instanceLocation, error }) => `- ${oneLine(`${instanceLocation.replace(/^#\/?/, "") || "arguments"}: ${error}`)}`,
    ),
  );
  return [...lines].slice(0, MANY).join("\n");
}

/** What `lazySchema()` wraps. Standard schemas may be functions too. */
function unwrapped(schema: unknown): unknown {
  return typeof schema === "function" && !isStandardSchema(schema) ? unwrapped(schema()) : schema;
}

function isAiSchema(schema: unknown): schema is AiSchema {
  return typeof schema === "object" && schema !== null && (schema as Record<symbol, unknown>)[AI_SCHEMA] === true;
}

function isStandardSchema(schema: unknown): schema is StandardSchema {
  return schema !== null && schema !== undefined && typeof (schema as Partial<StandardSchema>)["~standard"] === "object";
}
