// What the default entry is made of, in one file that the others share: see build.mjs.
export * from "./engine.js";
export * from "./errors.js";
export * from "./load.js";
export * from "./options.js";
export * from "./session.js";
export * from "./usage.js";
