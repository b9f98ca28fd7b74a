// A tool as text, for contenders that index fields or one document.

/** `createIssue_v2` → `create Issue v 2`: what most tokenizers do not split by themselves. */
export function splitName(name) {
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, "$1$3 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** The names and descriptions of a tool's parameters, at every depth. */
export function parameters(schema) {
  const names = [];
  const descriptions = [];
  const visit = (part) => {
    if (!part || typeof part !== "object") return;
    if (typeof part.description === "string") descriptions.push(part.description);
    for (const [name, property] of Object.entries(part.properties ?? {})) {
      names.push(name);
      visit(property);
    }
    const branches = [part.items, part.anyOf, part.oneOf, part.allOf];
    for (const branch of branches.flat()) visit(branch);
  };
  visit(schema);
  return { names, descriptions };
}

/** The fields that a user of a text index would make of a tool. */
export function fields({ name, server, description, inputSchema }) {
  const { names, descriptions } = parameters(inputSchema);
  // Ours is told the server. Theirs are too, where the name does not say it already.
  const saysServer = !server || splitName(name).includes(splitName(server));
  return {
    name: splitName(saysServer ? name : `${server} ${name}`),
    description: description ?? "",
    parameters: names.map(splitName).join(" "),
    parameterDescriptions: descriptions.join("\n"),
  };
}
