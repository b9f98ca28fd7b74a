const DEPTH = 4;

/** Arguments as a model might write them: the required ones, a value of the right type each. */
export function exampleOf(schema: unknown, depth = 0): unknown {
  if (typeof schema !== "object" || schema === null) return {};
  const { type, properties, required, items, default: given, example } = schema as Record<string, unknown>;
  const { enum: options, const: fixed } = schema as Record<string, unknown>;
  for (const value of [fixed, given, example]) if (value !== undefined) return value;
  if (Array.isArray(options) && options.length > 0) return options[0];
  const kind = Array.isArray(type) ? type[0] : type;
  if (kind === "string") return "…";
  if (kind === "integer" || kind === "number") return 1;
  if (kind === "boolean") return true;
  if (kind === "null" || depth >= DEPTH) return null;
  if (kind === "array") return [exampleOf(items, depth + 1)];
  if (typeof properties !== "object" || properties === null || !Array.isArray(required)) return {};
  const known = required.filter((name): name is string => typeof name === "string" && Object.hasOwn(properties, name));
  return Object.fromEntries(known.map((name) => [name, exampleOf((properties as Record<string, unknown>)[name], depth + 1)]));
}
