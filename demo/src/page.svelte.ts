// What the page knows: the reader's settings, and what the package says of them.
import type { CatalogView, OwnReport, OwnText, ServersFile } from "./catalog/types.ts";
import { GATEWAY_SIZES } from "./catalog/gateway.ts";
import { SCENARIOS } from "./conversation/scenarios.ts";
import type { ConversationView, RequestView, Scenario, Step } from "./conversation/types.ts";
import type { FoundView } from "./search/find.ts";
import { fromFragment, toFragment } from "./settings/link.ts";
import { settingsFrom, type Settings } from "./settings/settings.ts";
import { newest, playground, started } from "./worker/client.ts";

const LINK_AFTER_MS = 200;

class Page {
  settings = $state<Settings>(settingsFrom({}));
  /** Set once the first answers are there. */
  catalog = $state.raw<CatalogView>();
  talk = $state.raw<ConversationView>();
  found = $state.raw<FoundView>();
  own = $state.raw<OwnReport>();
  /** The scenario made of the catalog's tools. */
  rehearsal = $state.raw<Scenario>();
  /** A fault that leaves the page without its package, such as a browser that refuses WebAssembly. */
  broken = $state("");
  /** Counts what was put into the worker, so that what depends on it is asked again. */
  #given = $state(0);
  #ready = $state(false);
  #ownTexts: OwnText[] = [];
  /** The address's fragment as it was last read or written. */
  #fragment = location.hash;
  /** Counts readings and writings of the address: only the last may write. */
  #turn = 0;

  readonly scenarios = $derived([...SCENARIOS, ...(this.rehearsal ? [this.rehearsal] : [])]);
  readonly scenario = $derived(this.scenarios.find(({ id }) => id === this.settings.scenario) ?? SCENARIOS[0]);
  readonly steps = $derived<Step[]>(this.settings.steps ?? this.scenario?.steps ?? []);
  readonly requests = $derived<RequestView[]>(this.talk?.requests[this.settings.strategy] ?? []);
  /** The request that is looked at. */
  readonly request = $derived(this.requests.find(({ step }) => step >= this.settings.at) ?? this.requests.at(-1));
  /** Its counterpart without deferral, where the model does not search. */
  readonly fullRequest = $derived(this.#fullRequest());
  readonly price = $derived(this.settings.prices[this.settings.model] ?? this.settings.prices[0]);

  #choose = newest(playground.choose, (catalog) => {
    this.catalog = catalog;
    void this.#rehearse();
  });
  #converse = newest(playground.converse, (talk) => (this.talk = talk));
  #follow = newest(fromFragment, (settings) => {
    if (settings) void this.#guarded(this.#take(settings));
  });
  #find = newest(playground.find, (found) => (this.found = found));

  #fullRequest(): RequestView | undefined {
    const full = this.talk?.requests.full ?? [];
    return full.findLast(({ step }) => step <= (this.request?.step ?? 0)) ?? full[0];
  }

  /** Begins; to be called while a component is set up. */
  start(): void {
    void this.#guarded(this.#begin());
    // The address of the event: that of the page may have been written anew since.
    const again = ({ newURL }: HashChangeEvent) => {
      this.#turn++;
      this.#fragment = location.hash;
      void this.#follow(new URL(newURL).hash);
    };
    $effect(() => {
      addEventListener("hashchange", again);
      return () => removeEventListener("hashchange", again);
    });
    $effect(() => {
      const { off, gateway } = this.settings;
      void this.#given;
      if (this.#ready) void this.#guarded(this.#choose({ off: [...off], gateway }));
    });
    $effect(() => {
      const { contextWindow, threshold, system } = this.settings;
      const steps = $state.snapshot(this.steps) as Step[];
      if (this.catalog) void this.#guarded(this.#converse({ contextWindow, threshold }, { system, steps }));
    });
    $effect(() => {
      const { query, meaning } = this.settings;
      if (this.catalog) void this.#guarded(this.#find(query, meaning));
    });
    $effect(() => {
      const settings = $state.snapshot(this.settings) as Settings;
      if (!this.#ready) return;
      const timer = setTimeout(() => void this.#writeLink(settings), LINK_AFTER_MS);
      return () => clearTimeout(timer);
    });
  }

  /** Puts the reader's own tools into the catalog. */
  async takeOwn(texts: OwnText[]): Promise<void> {
    const first = this.own === undefined;
    await this.#guarded(this.#give(texts));
    if (!first || !this.own || this.own.servers.length === 0) return;
    // The numbers shall be those of the reader's agent, and the ready-made conversations would search for what it does not have.
    this.settings.off = this.catalog?.sources.map(({ id }) => id) ?? [];
    this.choose("own");
  }

  async clearOwn(): Promise<void> {
    await this.#guarded(this.#give([]));
    this.own = undefined;
    Object.assign(this.settings, { own: undefined, off: [] });
    this.choose(settingsFrom({}).scenario);
  }

  /** Puts them into the link, or takes them out of it. */
  linkOwn(linked: boolean): void {
    this.settings.own = linked ? this.#ownTexts : undefined;
  }

  /** Switches a source of the catalog on or off. */
  turn(id: string, on: boolean): void {
    const others = this.settings.off.filter((each) => each !== id);
    this.settings.off = on ? others : [...others, id];
  }

  choose(scenario: string): void {
    Object.assign(this.settings, { scenario, steps: undefined, at: 1 });
  }

  edit(steps: Step[]): void {
    this.settings.steps = steps;
  }

  /** The address of the page as it is now. */
  async link(): Promise<string> {
    const fragment = await toFragment($state.snapshot(this.settings) as Settings);
    return `${location.origin}${location.pathname}${location.search}${fragment}`;
  }

  async #begin(): Promise<void> {
    const [file, linked] = await Promise.all([this.#servers(), fromFragment(location.hash), started]);
    await playground.setServers(file);
    // Without servers the page begins with the sample.
    const sample = file.servers.length === 0 ? { gateway: GATEWAY_SIZES[0], scenario: "refund" } : {};
    await this.#take(linked ?? settingsFrom(sample));
    this.#ready = true;
  }

  async #servers(): Promise<ServersFile> {
    try {
      const response = await fetch(new URL("servers.json", document.baseURI));
      return (await response.json()) as ServersFile;
    } catch (error) {
      return { fingerprint: "", servers: [], failed: [{ name: "all development servers", reason: String(error) }] };
    }
  }

  async #take(settings: Settings): Promise<void> {
    if (settings.own && settings.own.length > 0) await this.#give(settings.own);
    this.settings = settings;
  }

  async #give(texts: OwnText[]): Promise<void> {
    this.#ownTexts = texts;
    this.own = await playground.setOwn(texts);
    this.#given++;
  }

  async #rehearse(): Promise<void> {
    this.rehearsal = await playground.rehearse();
  }

  async #writeLink(settings: Settings): Promise<void> {
    const turn = ++this.#turn;
    const fragment = await toFragment(settings);
    // Not over a link that the reader has opened meanwhile, heard of or not.
    if (turn !== this.#turn || location.hash !== this.#fragment) return;
    history.replaceState(null, "", `${location.pathname}${location.search}${fragment}`);
    this.#fragment = fragment;
  }

  async #guarded(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.broken = error instanceof Error ? error.message : String(error);
    }
  }
}

export const page = new Page();
