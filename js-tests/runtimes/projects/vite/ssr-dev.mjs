// What a framework's development server does with a route.
import { createServer } from "vite";

const vite = await createServer({ server: { middlewareMode: true, ws: false }, appType: "custom", logLevel: "error" });
const { render } = await vite.ssrLoadModule("/src/server.js");
process.stdout.write(render());
await vite.close();
