// A live figure: sliders, picture, value card and table that always show the same parameters.
//
// Where the page can compute the picture it draws each step at once, and asks the server for the
// words when the hand rests; until then they are dimmed. Elsewhere the server draws: one step is
// under way at a time, with another ahead where the hand moves, and the latest value wins, so while one is
// drawn the newer ones wait, and only the newest of them is asked for. A picture is decoded before it
// is shown, and everything that belongs to it is replaced in the same frame.

import { Address } from "./figure-address.js";
import { Cursor, factsOf } from "./figure-cursor.js";
import { ask, Refused, Unreachable } from "./figure-request.js";
import { announce, decode, replaceParts, replacePicture } from "./figure-parts.js";
import { Controls } from "./figure-controls.js";

const DARK = matchMedia("(prefers-color-scheme: dark)");
const NARROW = matchMedia("(max-width: 40rem)");
const WIDTHS = { wide: 720, narrow: 360 }; // px, as the server draws
const REST_MS = 120; // without a move, before the words of a picture are asked for
const SETTLED_MS = 600; // after the last change, before a screen reader is told
const PLAYED = ["position", "offset", "offsets", "base"].map((name) => `[data-control="${name}"] [type=range]`)
  .concat('[data-module] [data-control="d_model"] [type=range]') // only where each step is drawn at once
  .join();
const RETRY_MS = [1000, 2000, 4000, 8000];
const ASK_AGAIN_MS = 1000; // after a part that the network did not bring

// Modules that a page loads when it uses them. A browser that could not fetch a module, or one that it
// imports, remembers that until the page is left, and never asks for that address again. So the next
// use asks by another spelling of it, which the server reads as the same: the first letters of the path
// as %xx. What the module imports beside itself is then asked for again as well. `use` may load more of
// what the module needs: what that lacks is asked for again too.
const failures = new Map(); // how often each address has failed

async function later(path, use = (module) => module) {
  const url = new URL(path, import.meta.url);
  const { href } = url;
  const failed = failures.get(href) ?? 0;
  const coded = (letter, at) => (at > failed ? letter : `%${letter.charCodeAt().toString(16)}`);
  url.pathname = url.pathname.replace(/\w/g, coded);
  try {
    return await use(await import(url));
  } catch (error) {
    failures.set(href, failed + 1);
    throw error;
  }
}

class LiveFigure {
  constructor(root) {
    this.root = root;
    this.life = new AbortController();
    this.parts = Object.fromEntries(
      [...root.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]),
    );
    this.controls = new Controls(root, () => this.want());
    this.address = "aside" in root.dataset ? null : new Address(root.dataset.figure, JSON.parse(root.dataset.initial));
    this.cursor = new Cursor(root, this.parts, this.controls, this.narrow());
    this.geometry = JSON.parse(root.dataset.geometry)[this.narrow() ? "narrow" : "wide"];
    this.standUnderAxis();
    this.takesKeys = !this.controls.hasCursor();
    const { canvas, cursor } = this.parts;
    for (const come of ["pointerover", "pointermove", "click"]) canvas.addEventListener(come, (event) => this.readFrom(event));
    if (this.takesKeys) {
      cursor.hidden = false;
      cursor.addEventListener("keydown", (event) => this.readByKey(event));
    }
    this.drawing = false;
    this.failures = 0;
    this.missing = new Set(); // what loads parts that the network did not bring
    this.asked = 0;
    this.shown = this.query(JSON.parse(root.dataset.shown)) + this.dress();
    root.classList.add("live--on");
    this.loadMore();
    this.parts.details.addEventListener("toggle", () => {
      if (this.parts.details.open) this.look();
    });
    this.drag = null;
    if (root.dataset.module) this.loadWhenNear();
    else this.loadAhead();
    new ResizeObserver(() => this.noteHeight()).observe(root);
    const { signal } = this.life;
    for (const query of [DARK, NARROW]) query.addEventListener("change", () => this.look(), { signal });
    addEventListener("pageshow", () => this.look(), { signal }); // the browser may have put back old values
    addEventListener("online", () => this.again(), { signal });
    root.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.again();
    });
  }

  // Taken out of the page: the address is no longer its own.
  leave() {
    this.life.abort();
    clearTimeout(this.rest);
    clearTimeout(this.retry);
  }

  query(values) {
    return new URLSearchParams(Object.entries(values).sort()).toString();
  }

  dress() {
    const table = this.parts.details.open ? 1 : 0;
    const scheme = DARK.matches ? "dark" : "light";
    return `&scheme=${scheme}&table=${table}&width=${this.narrow() ? "narrow" : "wide"}`;
  }

  // Beside other pictures there is no more room than on a phone.
  narrow() {
    return NARROW.matches || "compact" in this.root.dataset;
  }

  wanted() {
    return this.query(this.controls.values()) + this.dress();
  }

  want() {
    this.controls.showNumbers();
    this.loadMissing();
    if (this.drawHere()) return;
    if (!this.drawing) this.draw();
  }

  // Parts that not every figure has, or that nobody may ever use.
  loadMore() {
    const { root } = this;
    if (document.querySelectorAll("[data-figure]").length > 1) {
      this.bring(async () => (await later("./figure-together.js")).join(root, this.controls));
    }
    if (root.querySelector(PLAYED)) {
      this.bring(async () => {
        const { addPlay } = await later("./figure-play.js");
        const query = (values) => this.page && this.query(this.controls.inside(values)) + this.dress();
        const ask = (step) => this.ask(`${step}&picture=0`);
        this.captions = addPlay(root, PLAYED, { controls: this.controls, query, ask });
      });
    }
    if (root.dataset.words) {
      this.bring(async () => {
        const { Words } = await later("./figure-words.js");
        this.words = new Words(root, this.parts, () => this.geometry);
      });
    }
  }

  // Loads a part. The figure works without it: the next use of the figure asks for it again.
  async bring(load) {
    try {
      await load();
    } catch (error) {
      console.warn(error);
      this.missing.add(load);
      this.asked = performance.now();
    }
  }

  loadMissing() {
    if (performance.now() - this.asked < ASK_AGAIN_MS) return;
    const loads = this.missing;
    this.missing = new Set();
    for (const load of loads) this.bring(load);
  }

  // What tells values is loaded when the first of them is asked for; undefined when the network does
  // not bring it. The next one asks again.
  loadReadout() {
    this.loading ??= later("./figure-readout.js").then(
      ({ Readout }) => {
        const [picture, words] = [() => this.picture(), () => this.words?.beside()];
        this.readout = new Readout(this.root, this.parts, { picture, words });
        return this.readout;
      },
      (error) => {
        console.warn(error); // the table has the values as well
        this.loading = undefined;
      },
    );
    return this.loading;
  }

  async readFrom(event) {
    if (this.readout) return; // which follows by itself
    if (event.type === "click" || event.pointerType !== "touch") this.pointed = event; // no finger scrolls past
    const readout = await this.loadReadout();
    if (event === this.pointed) readout?.point(event);
  }

  async readByKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (!/^(Arrow|Page)(Up|Down|Left|Right)$|^(Home|End)$/.test(event.key)) return;
    event.preventDefault();
    (await this.loadReadout())?.key(event.key);
  }

  // What is shown: { scene } where the page knows its numbers, { query } for the server's.
  picture() {
    const query = this.here ?? this.shown;
    const width = WIDTHS[this.narrow() ? "narrow" : "wide"];
    const scene = this.scene ?? this.page?.scene(Object.fromEntries(new URLSearchParams(query)), width);
    return { scene, query };
  }

  // Outlines a row, a column or a cell, and moves the cursor there, whose value the card explains;
  // nothing without a place. Returns whether it is outlined: the picture of now may not have it.
  async outline(place) {
    try {
      const { Highlight } = await later("./figure-highlight.js");
      this.highlight ??= new Highlight(this.parts.canvas);
      const isThere = this.highlight.show(place, this.geometry);
      if (isThere) this.cursor.follow(place);
      return isThere;
    } catch (error) {
      console.warn(error);
      return false;
    }
  }

  // Down to the last slider: so much of it stays in sight beside its text.
  noteHeight() {
    const end = this.root.querySelector(".live__sliders").getBoundingClientRect().bottom;
    this.root.style.setProperty("--figure-height", `${Math.ceil(end - this.root.getBoundingClientRect().top)}px`);
  }

  // The sliders of the x axis begin and end where it does.
  standUnderAxis() {
    const { plot, width, kind } = this.geometry;
    if (kind === "panels" || kind === "circles") return; // more than one axis
    const ends = [plot[0] / width, 1 - (plot[0] + plot[2]) / width].map((share) => share.toFixed(4));
    if (ends.join() === this.ends) return;
    this.ends = ends.join();
    ["--axis-start", "--axis-end"].forEach((name, at) => this.root.style.setProperty(name, ends[at]));
  }

  // Another picture stands there.
  moved(geometry) {
    this.geometry = geometry;
    this.standUnderAxis();
    this.highlight?.settle(geometry);
    this.words?.settle();
    this.readout?.leave();
  }

  // A figure of a closed screen, or far below, does not keep the one in sight waiting.
  loadWhenNear() {
    const watcher = new IntersectionObserver((entries) => {
      if (!entries.some((one) => one.isIntersecting)) return;
      watcher.disconnect();
      this.bring(() => this.load());
    }, { rootMargin: "100%" });
    watcher.observe(this.root);
  }

  // Only pages with such a view load the parts that draw.
  async load() {
    const { module, kind, scale, cells, limits } = this.root.dataset;
    const bounds = { most: Number(cells), limits: JSON.parse(limits) };
    try {
      const view = later(module);
      view.catch(() => {}); // told below
      this.page = await later("../figures/page-picture.js", ({ pagePicture }) => pagePicture(view, kind, scale, bounds));
      this.root.classList.add("live--here");
    } catch (error) {
      if (!this.drag) this.loadAhead(); // until then the server draws
      throw error;
    }
  }

  // Without it a drag shows fewer steps.
  loadAhead() {
    this.bring(async () => {
      const { Drag } = await later("./figure-ahead.js");
      this.drag ??= new Drag();
    });
  }

  // The picture of the sliders, in the page and at once; false where it is the server's to draw.
  drawHere() {
    if (!this.page) return false;
    const now = this.wanted();
    const values = this.controls.inside();
    const width = this.narrow() ? "narrow" : "wide";
    const scene = this.page.draw(values, WIDTHS[width], DARK.matches ? "dark" : "light");
    if (!scene) {
      if (!this.drag) this.loadAhead();
      this.here = undefined;
      return false;
    }
    if (now !== this.shown) this.page.stage.setAttribute("aria-label", this.root.dataset.name);
    replacePicture(this.parts, this.page.stage);
    this.here = this.query(values) + this.dress();
    this.controls.settle({ ...scene, parameters: values });
    this.scene = scene;
    this.cursor.place(scene);
    this.moved(factsOf(scene));
    const words = this.captions?.of(this.here);
    if (words) this.replaceWords(words, this.here);
    this.root.classList.toggle("live--stale", this.wanted() !== this.shown);
    this.root.dispatchEvent(new CustomEvent("figure:shown", { detail: values }));
    clearTimeout(this.rest);
    this.rest = setTimeout(() => {
      this.rest = undefined;
      if (!this.drawing) this.draw();
    }, REST_MS);
    return true;
  }

  // Something besides the sliders may have changed; what stands beside them is still true.
  look() {
    if (this.wanted() !== this.shown) this.want();
  }

  again() {
    clearTimeout(this.retry);
    this.refused = undefined;
    this.want();
  }

  // For words of the text: as if the sliders were moved. `words` are told instead of the cursor.
  setParameters(values, words) {
    this.told = words;
    this.controls.put(values);
  }

  async draw() {
    this.drawing = true;
    clearTimeout(this.retry);
    try {
      for (let now = this.wanted(); this.asksFor(now); now = this.wanted()) {
        await this.drawOnce(now);
      }
      if (this.wanted() === this.shown) this.controls.settleErrors(this.parts.problem);
    } catch (error) {
      this.fail(error);
    } finally {
      this.drawing = false;
    }
  }

  // While the hand moves over a picture of the page, its words wait for the rest.
  asksFor(now) {
    const moving = this.here !== undefined && this.rest !== undefined;
    return now !== this.shown && now !== this.refused && !moving;
  }

  async drawOnce(now) {
    const drawn = this.here === now;
    try {
      const underWay = drawn ? this.captions?.request(now) : undefined;
      const asked = underWay ?? this.ask(drawn ? `${now}&picture=0` : now);
      const ahead = drawn ? null : this.askAhead();
      const answer = await asked;
      this.failures = 0;
      if (drawn !== (this.here === this.wanted()) || (drawn && now !== this.here)) return; // of before
      const picture = drawn ? null : await decode(answer);
      await this.show(answer, picture, now);
      await ahead?.show();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.refused = now; // asking again for the same would be refused again
      this.controls.showErrors(error.messages, this.parts.problem);
    }
  }

  ask(query) {
    return ask(this.root.dataset.address, query, this.root.dataset.version);
  }

  // The step that a hand passes next; null where none moves. It is shown when it was passed,
  // and what goes wrong with it is told by the step itself.
  askAhead() {
    const next = this.drag?.next(this.controls.values(), this.controls);
    if (!next) return null;
    const query = this.query(next.values) + this.dress();
    const asked = this.ask(query).catch(() => null);
    const isPassed = () => next.isPassed(this.controls.values());
    const show = async () => {
      const answer = isPassed() && (await asked);
      const picture = answer && (await decode(answer));
      if (picture && isPassed() && query.endsWith(this.dress())) {
        await this.show(answer, picture, query);
      }
    };
    return { show };
  }

  show(answer, picture, now) {
    return new Promise((done) => {
      requestAnimationFrame(() => {
        if (!picture && this.here !== now) return done(); // moved on within the frame
        if (picture) this.here = this.scene = undefined;
        this.replaceWords(answer, now, picture);
        done();
      });
    });
  }

  replaceWords(answer, now, picture = null) {
    replaceParts(this.parts, answer, picture);
    this.root.classList.remove("live--stale");
    this.controls.settle(answer);
    this.cursor.settle(answer);
    this.shown = this.withCursor(now, answer.parameters);
    if (picture) this.moved(answer);
    this.refused = undefined;
    const { parameters } = answer;
    if (picture) this.root.dispatchEvent(new CustomEvent("figure:shown", { detail: parameters }));
    if (!this.life.signal.aborted) this.address?.remember(parameters);
    clearTimeout(this.tell);
    this.tell = setTimeout(() => this.announce(answer), SETTLED_MS);
  }

  announce(answer) {
    const words = this.told?.(answer);
    this.told = undefined;
    if (!words) announce(this.parts, answer);
  }

  // The server moves the cursor into a smaller picture; that is then what is wanted.
  withCursor(now, parameters) {
    if (!this.controls.hasCursor()) return now;
    const query = new URLSearchParams(now);
    for (const name of this.controls.cursor) {
      if (query.has(name)) query.set(name, parameters[name]);
    }
    return query.toString();
  }

  fail(error) {
    const known = error instanceof Unreachable;
    if (!known) console.warn(error);
    const wait = error.retryMs ?? RETRY_MS[Math.min(this.failures, RETRY_MS.length - 1)];
    this.failures += 1;
    const words = known ? error.message : "The picture could not be drawn.";
    const more = this.failures <= RETRY_MS.length;
    this.controls.showProblem(
      this.parts.problem,
      `${words} ${this.here === undefined ? "The picture still shows" : "The text still describes"} the previous values. ${more ? "Trying again…" : ""}`,
      () => this.again(),
    );
    if (more) this.retry = setTimeout(() => this.want(), wait);
  }
}

if (matchMedia("(any-pointer: coarse)").matches) import("./touch-sliders.js");

const alive = new WeakMap();

// Makes a figure answer to its sliders; also one that came into the page later.
export function liven(root) {
  const figure = new LiveFigure(root);
  alive.set(root, figure);
  return figure;
}

// The figure of an element, for words that drive it: `setParameters` and `outline`.
export function figureOf(root) {
  return alive.get(root);
}

for (const root of document.querySelectorAll("[data-figure]")) liven(root);
