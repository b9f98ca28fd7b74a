import { answers } from "golden";
import { ToolSearch } from "tool-search";
import { meaning } from "tool-search/meaning";
import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";

it("searches", () => {
  const text = answers(ToolSearch, meaning);
  writeFileSync("out.txt", text);
  expect(text).toContain("create_issue");
});
