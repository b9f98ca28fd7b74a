#!/usr/bin/env node
// Writes pkg/THIRD-PARTY.md: what is compiled into the module that others wrote, and the licences they ask to be handed on. To be run when a
// crate comes, goes or changes its version; a test holds the file to what this would write.
//   npm run third-party [-- --check]
import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { run } from "./lib/process.mjs";
import { findCargo } from "./lib/rust.mjs";
import { explain, SetupError } from "./lib/steps.mjs";
import { root } from "./setup.mjs";

const FILE = join(root, "pkg", "THIRD-PARTY.md");
const INTRODUCTION = `# What others wrote

The WebAssembly module of this package, and the JavaScript that talks to it, were made with the crates below. Everything else in the package,
its stop words, its thesaurus and the weights of its token estimate too, is its own (LICENSE). Packages of npm that it depends on are not in
it: npm installs them with their own licences. The vectors of \`tool-search/meaning\` are its own, too; what they were learnt from, and the notice that
WordNet asks for, stand in MEANING.md. \`npm run third-party\` wrote this file.
`;

/** What comes into the module by other ways than Cargo.toml. */
const OTHERS = [
  {
    name: "The Rust standard library, with its tables of Unicode",
    licence: "MIT AND Unicode-3.0",
    texts: [["MIT", "rust-std.txt"], ["Unicode-3.0", "unicode.txt"]],
  },
];

/** The licences that deny.toml takes, first those that are taken where there is a choice. */
async function allowed() {
  const [, list] = (await readFile(join(root, "deny.toml"), "utf8")).match(/^allow = \[(.*)\]$/m);
  return list.match(/[\w.-]+/g);
}

/** The crates of the module, without those that run in the compiler. */
async function crates(env) {
  const args = ["metadata", "--format-version", "1", "--locked", "--features", "bindings", "--filter-platform", "wasm32-unknown-unknown"];
  const { packages, resolve } = JSON.parse((await run("cargo", args, { cwd: root, env })).stdout);
  const [byId, nodes] = [new Map(packages.map((one) => [one.id, one])), new Map(resolve.nodes.map((node) => [node.id, node]))];
  const inCompiler = ({ targets }) => targets.some(({ kind }) => kind.includes("proc-macro"));
  const found = new Set();
  const visit = (id) => {
    if (found.has(id) || inCompiler(byId.get(id))) return;
    found.add(id);
    for (const { pkg, dep_kinds: kinds } of nodes.get(id).deps) if (kinds.some(({ kind }) => kind === null)) visit(pkg);
  };
  visit(resolve.root);
  found.delete(resolve.root);
  return [...found].map((id) => byId.get(id)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Of a licence expression, the licences that are taken: `(MIT OR Apache-2.0) AND Unicode-3.0` is MIT and Unicode-3.0. */
function taken({ name, license }, allow) {
  return license.split(" AND ").map((choice) => {
    const offered = choice.replace(/[()]/g, "").split(/ OR |\//);
    const one = allow.find((licence) => offered.includes(licence));
    if (!one) throw new SetupError(`The crate ${name} is under ${license}, and deny.toml takes only ${allow.join(", ")}.`);
    return one;
  });
}

/** The text of a licence in a crate's folder. */
async function textIn(crate, licence) {
  const folder = dirname(crate.manifest_path);
  const files = (await readdir(folder)).filter((file) => /^licen[cs]e/i.test(file)).sort();
  const named = files.find((file) => file.toUpperCase().includes(licence.split("-")[0].toUpperCase()));
  const file = named ?? (files.length === 1 ? files[0] : undefined);
  if (!file) throw new SetupError(`The crate ${crate.name} has no text of its licence ${licence}.`);
  // What stands behind a choice that was not taken is of no use here.
  const [text] = (await readFile(join(folder, file), "utf8")).split(/^As a contributor, you agree/m);
  return [text, ...(await rest(folder, file))].join("\n").trim();
}

/** Copyrights that libm lists behind the licences. */
async function rest(folder, file) {
  const [, notices] = (await readFile(join(folder, file), "utf8")).split(/^This Rust library contains the following copyrights:$/m);
  return notices ? ["This Rust library contains the following copyrights:", notices] : [];
}

const isCopyright = (line) => /^\s*Copyright (\(c\)|©|\d{4})/.test(line);
const words = (text) => text.replace(/\s+/g, " ").trim();

/** Texts with whose they are; those that differ in their copyrights alone are one. */
function grouped(all) {
  const groups = new Map();
  for (const { of, licence, text } of all) {
    const lines = text.split("\n");
    const body = lines.filter((line) => !isCopyright(line)).join("\n").replace(/^\s*(The )?MIT License( \(MIT\))?\s*$/im, "").trim();
    const key = `${licence}\n${words(body)}`;
    if (!groups.has(key)) groups.set(key, { licence, body, owners: [] });
    groups.get(key).owners.push({ of, copyrights: lines.filter(isCopyright).map((line) => line.trim()) });
  }
  return [...groups.values()];
}

function section({ licence, body, owners }) {
  const whose = owners.map(({ of, copyrights }) => [`- ${of}`, ...copyrights.map((line) => `  ${line}`)].join("  \n")).join("\n");
  return `## ${licence}\n\n${whose}\n\n\`\`\`text\n${body.replace(/[ \t]+$/gm, "").replace(/\r/g, "")}\n\`\`\`\n`;
}

async function content(env) {
  const allow = await allowed();
  const all = [];
  const list = [];
  for (const crate of await crates(env)) {
    const licences = taken(crate, allow);
    list.push(`| ${crate.name} ${crate.version} | ${crate.license} | ${licences.join(", ")} |`);
    for (const licence of licences) all.push({ of: crate.name, licence, text: await textIn(crate, licence) });
  }
  for (const { name, licence, texts } of OTHERS) {
    list.push(`| ${name} | ${licence} | ${licence} |`);
    for (const [one, file] of texts) all.push({ of: name, licence: one, text: await readFile(join(root, "scripts", "third-party", file), "utf8") });
  }
  const table = ["| | offered under | taken under |", "| --- | --- | --- |", ...list].join("\n");
  return [INTRODUCTION, `${table}\n`, ...grouped(all).map(section)].join("\n");
}

try {
  const wanted = await content(await findCargo());
  if (!process.argv.includes("--check")) {
    await writeFile(FILE, wanted);
  } else if ((await readFile(FILE, "utf8").catch(() => "")) !== wanted) {
    throw new SetupError("pkg/THIRD-PARTY.md is not of the crates of Cargo.lock: run `npm run third-party`, and read what changed.");
  }
} catch (error) {
  explain(error);
  process.exitCode = 1;
}
