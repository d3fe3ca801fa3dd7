// A live figure: sliders, picture, value card and table that always show the same parameters.
//
// One request is under way at a time and the latest value wins: while one is drawn the newer ones
// wait, and only the newest of them is asked for. A picture is decoded before it is shown, and
// everything that belongs to it is replaced in the same frame.

import { Address } from "./figure-address.js";
import { Cursor } from "./figure-cursor.js";
import { Highlight } from "./figure-highlight.js";
import { ask, Refused, Unreachable } from "./figure-request.js";
import { announce, decode, replaceParts } from "./figure-parts.js";
import { Controls } from "./figure-controls.js";

const DARK = matchMedia("(prefers-color-scheme: dark)");
const NARROW = matchMedia("(max-width: 40rem)");
const SETTLED_MS = 600; // after the last change, before a screen reader is told
const RETRY_MS = [1000, 2000, 4000, 8000];

class LiveFigure {
  constructor(root) {
    this.root = root;
    this.parts = Object.fromEntries(
      [...root.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]),
    );
    this.controls = new Controls(root, () => this.want());
    this.address = new Address(root.dataset.figure, JSON.parse(root.dataset.initial));
    this.cursor = new Cursor(root, this.parts, this.controls, this.narrow());
    this.highlight = new Highlight(root, this.parts.canvas, this.narrow());
    this.drawing = false;
    this.failures = 0;
    this.shown = this.query(JSON.parse(root.dataset.shown)) + this.dress();
    root.classList.add("live--on");
    this.parts.details.addEventListener("toggle", () => {
      if (this.parts.details.open) this.look();
    });
    for (const query of [DARK, NARROW]) query.addEventListener("change", () => this.look());
    addEventListener("pageshow", () => this.look()); // the browser may have put back old values
    addEventListener("online", () => this.again());
    root.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.again();
    });
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
    if (!this.drawing) this.draw();
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
    this.words = words;
    this.controls.put(values);
  }

  async draw() {
    this.drawing = true;
    clearTimeout(this.retry);
    try {
      for (let now = this.wanted(); now !== this.shown && now !== this.refused; now = this.wanted()) {
        await this.drawOnce(now);
      }
      if (this.wanted() === this.shown) this.controls.settleErrors(this.parts.problem);
    } catch (error) {
      this.fail(error);
    } finally {
      this.drawing = false;
    }
  }

  async drawOnce(now) {
    try {
      const answer = await ask(this.root.dataset.address, now, this.root.dataset.version);
      const picture = await decode(answer);
      await this.show(answer, picture, now);
      this.failures = 0;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.refused = now; // asking again for the same would be refused again
      this.controls.showErrors(error.messages, this.parts.problem);
    }
  }

  show(answer, picture, now) {
    return new Promise((done) => {
      requestAnimationFrame(() => {
        replaceParts(this.parts, answer, picture);
        this.controls.settle(answer);
        this.cursor.settle(answer);
        this.highlight.settle(answer);
        this.shown = this.withCursor(now, answer.parameters);
        this.refused = undefined;
        this.root.dispatchEvent(new CustomEvent("figure:shown", { detail: answer.parameters }));
        this.address.remember(answer.parameters);
        clearTimeout(this.tell);
        this.tell = setTimeout(() => this.announce(answer), SETTLED_MS);
        done();
      });
    });
  }

  announce(answer) {
    const words = this.words?.(answer);
    this.words = undefined;
    if (!words) announce(this.parts, answer);
  }

  // The server moves the cursor into a smaller picture; that is then what is wanted.
  withCursor(now, parameters) {
    if (!this.controls.hasCursor()) return now;
    const query = new URLSearchParams(now);
    for (const name of ["position", "dimension"]) {
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
      `${words} The picture still shows the last values. ${more ? "Trying again…" : ""}`,
      () => this.again(),
    );
    if (more) this.retry = setTimeout(() => this.want(), wait);
  }
}

const alive = new WeakMap();

// Makes a figure answer to its sliders; also one that came into the page later.
export function liven(root) {
  const figure = new LiveFigure(root);
  alive.set(root, figure);
  return figure;
}

// The figure of an element, for words that drive it: `setParameters` and `highlight.show`.
export function figureOf(root) {
  return alive.get(root);
}

for (const root of document.querySelectorAll("[data-figure]")) liven(root);
