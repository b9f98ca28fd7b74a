// Builds the playground and serves it on 127.0.0.1: node serve.mjs [PORT]
import { buildDemo, serveDemo } from "./build.mjs";

const PORT = 4173;

await buildDemo();
const { url } = await serveDemo({ port: Number(process.argv[2] ?? PORT) });
console.log(`The playground is at ${url}   (Ctrl-C ends it)`);
