// Settings in the fragment of the page's address: compressed JSON in base64url. A fragment is never sent to a server.
import { changed, settingsFrom, type Settings } from "./settings.ts";

/** Before the settings; fragments without it are places on the page. */
const MARK = "#s=";
/** Bytes that a link may unfold to. */
const MOST = 8_000_000;

export async function toFragment(settings: Settings): Promise<string> {
  const json = JSON.stringify(changed(settings));
  if (json === "{}") return "";
  const stream = new Blob([json]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `${MARK}${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** The settings of an address; the defaults where they are damaged, nothing where there are none. */
export async function fromFragment(fragment: string): Promise<Settings | undefined> {
  if (!fragment.startsWith(MARK)) return undefined;
  try {
    const binary = atob(fragment.slice(MARK.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).pipeThrough(atMost(MOST));
    return settingsFrom(JSON.parse(await new Response(stream).text()));
  } catch {
    return settingsFrom({});
  }
}

function atMost(limit: number): TransformStream<Uint8Array, Uint8Array> {
  let seen = 0;
  return new TransformStream({
    transform(chunk, controller) {
      seen += chunk.byteLength;
      if (seen > limit) controller.error(new Error("too long"));
      else controller.enqueue(chunk);
    },
  });
}
