import type { AnyDefinition } from "tool-search";

/** A server and what it lists. */
export interface ServerTools {
  name: string;
  tools: AnyDefinition[];
  instructions?: string;
}

/** The file that the build writes beside the page. */
export interface ServersFile {
  /** Of the servers' versions: the file is written anew when it changes. */
  fingerprint: string;
  servers: ServerTools[];
  failed: { name: string; reason: string }[];
}

/** Text that the reader gave: pasted, dropped or opened. */
export interface OwnText {
  /** A file's name; "" for what was pasted. */
  name: string;
  text: string;
}

/** What the page says of texts that the reader gave. */
export interface OwnReport {
  servers: { name: string; tools: number }[];
  /** Each names the place (file, server, tool) and says why. */
  faults: string[];
}

/** Which tools are in the catalog. */
export interface Choice {
  /** Ids of sources that are switched off. */
  off: string[];
  /** Tools of the generated gateway; 0 is none. */
  gateway: number;
}

/** A row of the catalog: something that can be switched on or off. */
export interface SourceRow {
  id: string;
  name: string;
  kind: "server" | "gateway" | "own";
  tools: number;
  /** Of its definitions, in full. */
  tokens: number;
  on: boolean;
}

/** The catalog as the page shows it. */
export interface CatalogView {
  sources: SourceRow[];
  /** Development servers that this build could not have. */
  failed: ServersFile["failed"];
  /** Tools in the catalog. */
  size: number;
  servers: number;
  /** What stood in the way of a source that is switched on; it is left out then. */
  faults: string[];
}
