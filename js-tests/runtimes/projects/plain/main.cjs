const { ToolSearch } = require("tool-search");

import("golden").then(({ answers }) => process.stdout.write(answers(ToolSearch)));
