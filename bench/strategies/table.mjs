/** The rows as a table of Markdown. @param {import("./measure.ts").Measured[]} rows */
export function table(rows) {
  const number = (value) => value.toLocaleString("en-US");
  const lines = rows.map(({ title, requests, first, all, cached, paid, sent }) =>
    [
      title,
      requests,
      number(first),
      number(all),
      `${Math.round((100 * cached) / all)}%`,
      number(paid),
      `${number(Math.round(sent / 1000))} kB`,
    ].join(" | "),
  );
  return [
    "| strategy | requests | first request | all requests | cached | paid | sent |",
    "| --- | --: | --: | --: | --: | --: | --: |",
    ...lines.map((line) => `| ${line} |`),
  ].join("\n");
}
