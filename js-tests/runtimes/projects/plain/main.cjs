const { ToolSearch } = require("tool-search");
const { meaning } = require("tool-search/meaning");

import("golden").then(({ answers }) => process.stdout.write(answers(ToolSearch, meaning)));
