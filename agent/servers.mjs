// @ts-check
// The MCP servers of the run. All are MIT or Apache-2.0, list their tools without an account or a network, and are started from
// node_modules. Tokens only have to exist for the servers that ask for one, and mean nothing.

/** @typedef {import("./folder.mjs").RunFolder} RunFolder */

/**
 * @typedef {object} ServerSpec
 * @property {string} name Its name in the catalog.
 * @property {string} package The npm package whose first `bin` is the server.
 * @property {(folder: RunFolder) => string[]} [args]
 * @property {(folder: RunFolder) => Record<string, string>} [env]
 * @property {boolean} [local] Works on nothing but the folder of the run, so that the agent may really call its tools.
 */

const TOKEN = "not-a-real-token";

/** @type {readonly ServerSpec[]} */
export const SERVERS = [
  {
    name: "filesystem",
    package: "@modelcontextprotocol/server-filesystem",
    args: (folder) => [folder.project],
    local: true,
  },
  {
    name: "memory",
    package: "@modelcontextprotocol/server-memory",
    env: (folder) => ({ MEMORY_FILE_PATH: folder.memory }),
    local: true,
  },
  { name: "everything", package: "@modelcontextprotocol/server-everything", args: () => ["stdio"], local: true },
  { name: "github", package: "@modelcontextprotocol/server-github" },
  {
    name: "gitlab",
    package: "@zereight/mcp-gitlab",
    // Without the last it asks the npm registry for a newer version of itself.
    env: () => ({ GITLAB_PERSONAL_ACCESS_TOKEN: TOKEN, GITLAB_DISABLE_VERSION_CHECK: "true" }),
  },
  { name: "hostinger", package: "hostinger-api-mcp", env: () => ({ API_TOKEN: TOKEN }) },
  { name: "notion", package: "@notionhq/notion-mcp-server", env: () => ({ NOTION_TOKEN: TOKEN }) },
  { name: "slack", package: "@modelcontextprotocol/server-slack", env: () => ({ SLACK_BOT_TOKEN: TOKEN, SLACK_TEAM_ID: "T0" }) },
  { name: "playwright", package: "@playwright/mcp", args: () => ["--headless", "--isolated"] },
  {
    name: "chrome-devtools",
    package: "chrome-devtools-mcp",
    args: () => ["--headless", "--isolated", "--no-usage-statistics"],
    env: () => ({ CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS: "true", CHROME_DEVTOOLS_MCP_NO_USAGE_STATISTICS: "true" }),
  },
];
