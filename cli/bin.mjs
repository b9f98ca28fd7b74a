#!/usr/bin/env node
import { main } from "./src/main.mjs";

await main(process.argv.slice(2));
