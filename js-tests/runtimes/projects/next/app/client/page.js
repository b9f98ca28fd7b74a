"use client";
// Rendered on the server first, then in the browser.
import { answers } from "golden";
import { useEffect } from "react";
import { ToolSearch } from "tool-search";
import { meaning } from "tool-search/meaning";

export default function Page() {
  const text = answers(ToolSearch, meaning);
  useEffect(() => {
    globalThis.outcome = text;
  }, [text]);
  return <pre>{text}</pre>;
}
