// A learner's numbers on the figure of a lesson: Yours, Reference, Difference, as the sliders move.
//
// One run of the code brings all places of one slider, so a drag draws what is here and asks for
// nothing. Another slider needs another run: one is under way at a time, the newest wish wins, and the
// nearest place that has come is shown meanwhile. The view of the lesson gives the frame, the server
// the numbers, and what differs from the view (`dress`).
//
// A run has the code and the sliders of the moment in which it is sent, and its numbers are kept under
// these: hand and code may have moved on before the answer comes.

import { Drawer } from "../figures/drawer.js";
import { array } from "../figures/numbers/view-data.js";
import { layoutOf } from "../figures/page-picture.js";
import { Controls, grouped } from "../lessons/figure-controls.js";
import { Readout } from "../lessons/figure-readout.js";
import { hindrance } from "../site/cookies.js";
import { renewToken } from "../site/csrf_token.js";

const DARK = matchMedia("(prefers-color-scheme: dark)");
const WIDTH = 360; // px, as the server draws
const EVERY_MS = 1050; // code may run once a second
const SETTLED_MS = 600; // after the last change, before a screen reader is told
const LONGEST_WAIT_S = 5; // of a refused run that is sent again by itself
const MOST_BATCHES = 16; // that a page keeps, 1 MB each at most
const BARE = { between: null, band: null, cursor: null, edges: [] };
const REFUSALS = {
  403: "Not sent: this page is too old. Reload it and try again.",
  413: "Not sent: the code is too long. At most 20\u202f000 characters are allowed.",
};

class Refused extends Error {}

// The site takes this run after a number of seconds.
class TooSoon extends Refused {
  constructor(message, seconds) {
    super(message);
    this.seconds = seconds;
  }
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export class CodeFigure {
  constructor(section) {
    this.section = section;
    this.form = document.querySelector("#code-form");
    this.code = document.querySelector("#id_code");
    this.words = section.querySelector("#code-figure-words");
    this.spoken = section.querySelector("#code-figure-spoken");
    this.place = section.querySelector(".code-figure__layers");
    this.explorer = section.querySelector("#code-figure-explorer");
    this.share = section.querySelector("#code-figure-share");
    this.chosen = section.querySelector("#figure-slider");
    this.batches = new Map();
    this.layers = new Map();
    this.lastSent = -Infinity;
    section.querySelector(".code-figure__along").hidden = true; // the slider that is moved counts
    section.addEventListener("input", (event) => this.touch(event), { capture: true });
    this.controls = new Controls(section, () => this.move());
    this.code.addEventListener("input", () => this.tellAge());
    this.code.addEventListener("graded", () => this.bringReference());
    DARK.addEventListener("change", () => this.redraw());
  }

  // Runs the code as it is now. What was drawn of other code stays, grey, until numbers come.
  open() {
    this.batches.clear();
    this.shown = undefined;
    this.sent = this.code.value;
    this.section.classList.toggle("code-figure--stale", this.drawn !== undefined);
    this.say("Running your code.");
    this.move();
  }

  // Once for each text: the reference may be withheld all the same.
  bringReference() {
    if (!this.shown || "reference" in this.shown.layers || this.askedFor === this.code.value) return;
    this.askedFor = this.code.value;
    this.open();
  }

  tellAge() {
    if (this.drawn === undefined) return;
    const wasOld = this.section.classList.contains("code-figure--stale");
    const isOld = this.code.value !== this.drawn;
    this.section.classList.toggle("code-figure--stale", isOld);
    if (isOld) this.say("These pictures are of an earlier version of your code.");
    else if (wasOld) this.redraw();
  }

  // The slider that is moved is the one along which the next run goes.
  touch(event) {
    const box = event.target.closest("[data-control]");
    if (box) this.chosen.value = box.dataset.control;
  }

  // The batch of now: the code, one slider, and where the others stand.
  key() {
    const values = this.controls.values();
    delete values[this.chosen.value];
    return JSON.stringify([this.sent, this.chosen.value, Object.entries(values).sort()]);
  }

  // What a run is sent with, all of one moment.
  wish() {
    renewToken(this.form);
    const body = new FormData(this.form);
    body.set("code", this.sent);
    body.set("key", crypto.randomUUID?.() ?? "");
    return { key: this.key(), code: this.sent, body };
  }

  move() {
    this.controls.showNumbers();
    if (this.sent === undefined) return;
    this.redraw();
    if (!this.underWay) this.bring();
  }

  async redraw() {
    const batch = this.batches.get(this.key()) ?? this.shown;
    try {
      if (batch) await this.show(batch);
    } catch (error) {
      console.warn(error);
      this.say("Not loaded: no connection. Try again in a moment.");
    }
  }

  async bring() {
    this.underWay = true;
    this.section.setAttribute("aria-busy", "true");
    try {
      let mayWait = true;
      while (!this.batches.has(this.key())) {
        await pause(this.lastSent + EVERY_MS - performance.now());
        const wish = this.wish();
        if (this.batches.has(wish.key)) break;
        try {
          await this.run(wish);
          mayWait = true;
        } catch (error) {
          if (wish.code !== this.sent) continue; // the code of now has not been sent yet
          if (!(error instanceof TooSoon) || !mayWait || error.seconds > LONGEST_WAIT_S) throw error;
          mayWait = false; // once: the newest wish is sent then
          this.say(error.message);
          await pause(1000 * error.seconds);
        }
      }
    } catch (error) {
      if (!(error instanceof Refused)) console.warn(error);
      this.say(error instanceof Refused ? error.message : "No answer came. Try again in a moment.");
    } finally {
      this.underWay = false;
      this.section.removeAttribute("aria-busy");
    }
  }

  // One run along the chosen slider. What came before the rest counts only until the run has ended.
  async run(wish) {
    try {
      await this.bringBatch(wish);
    } finally {
      if (this.batches.get(wish.key)?.ask) this.batches.delete(wish.key);
    }
  }

  // Waits as long as the site asks to.
  async bringBatch(wish) {
    let answer = await this.ask(this.section.dataset.address, { method: "POST", body: wish.body });
    this.lastSent = performance.now(); // the site counts from when it stored the code
    while (answer.ask) {
      if (answer.places && !this.batches.has(wish.key)) await this.keep(wish, answer);
      else if (answer.words && wish.code === this.sent) this.say(answer.words);
      await pause(answer.ask_after_ms);
      answer = await this.ask(answer.ask);
    }
    // A message about code that is not asked for any more would stand for the new code.
    if (answer.message && wish.code === this.sent) throw new Refused(answer.message);
    if (answer.places) await this.keep(wish, answer);
  }

  // A batch of code from before is of no use: another run follows.
  async keep({ key, code }, answer) {
    if (code !== this.sent) return;
    const batch = { ...answer, key, code };
    this.batches.set(key, batch);
    if (this.batches.size > MOST_BATCHES) this.batches.delete(this.batches.keys().next().value);
    this.shown = batch;
    await this.show(batch);
  }

  async ask(address, options = {}) {
    const response = await fetch(address, { ...options, headers: { Accept: "application/json" } }).catch(() => {
      throw new Refused(hindrance() || "Not sent: no connection. Try again in a moment.");
    });
    if (response.ok) return response.json();
    const { message } = await response.json().catch(() => ({}));
    if (response.status === 429) {
      const seconds = Number(response.headers.get("Retry-After") ?? 1);
      throw new TooSoon(message ?? `Not run yet: too many runs for now. Try again in ${seconds} s.`, seconds);
    }
    if (response.status === 404) throw new Refused("It is gone. Run it again.");
    if (response.status === 400 && message) throw new Refused(message);
    throw new Refused(hindrance() || (REFUSALS[response.status] ?? "The site answered with an error. Try again."));
  }

  nearest({ slider, places }) {
    const { kind } = this.section.querySelector(`[data-control="${slider}"]`).dataset;
    const at = (text) => (kind === "log" ? Math.log(Number(text)) : Number(text));
    const hand = this.controls.values()[slider];
    const apart = ({ texts: { [slider]: text } }) =>
      kind === "choice" ? Number(text !== hand) : Math.abs(at(text) - at(hand));
    return places.reduce((best, place) => (apart(place) < apart(best) ? place : best));
  }

  async show(batch) {
    const place = this.nearest(batch);
    this.newest = place;
    const { module } = this.section.dataset;
    this.view ??= await import(module);
    const frame = this.view.compute(place.texts);
    const drawings = [];
    for (const [name, title] of Object.entries(batch.layers)) {
      const dress = batch.dress[name];
      drawings.push([name, dress, await this.layer(name, title, dress.scale ?? frame.scale)]);
    }
    // Hand or code moved on while parts were loaded.
    if (place !== this.newest || batch.code !== this.sent) return;
    for (const [name, dress, layer] of drawings) {
      const numbers = place.numbers[name];
      layer.draw(numbers && { ...frame, ...BARE, ...dress, values: this.numbers(frame, numbers) }, place.words);
    }
    for (const [name, layer] of this.layers) layer.root.hidden = !(name in batch.layers);
    for (const name of ["explorer", "share"]) {
      this[name].hidden = !place[name];
      if (place[name]) this[name].href = place[name];
    }
    const words = [`${batch.slider} = ${grouped(place.texts[batch.slider])}.`, place.words];
    if (batch.problem && batch.problem !== place.words) words.push(batch.problem);
    if (batch.note) words.push(batch.note);
    this.drawn = batch.code;
    this.say(words.join(" "), place.is_problem);
    this.section.classList.toggle("code-figure--waits", batch.key !== this.key());
    this.section.classList.remove("code-figure--stale");
    this.tellAge();
  }

  numbers(frame, text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return array(frame.values.shape, Float64Array.from(new Float32Array(bytes.buffer)));
  }

  async layer(name, title, scale) {
    if (!this.layers.has(name)) {
      const layout = await layoutOf(this.section.dataset.plot, scale);
      if (!this.layers.has(name)) this.layers.set(name, new Layer(this.place, title, layout));
    }
    return this.layers.get(name);
  }

  say(words, isProblem = false) {
    this.words.textContent = words;
    this.words.classList.toggle("code-figure__problem", isProblem);
    clearTimeout(this.tell);
    this.tell = setTimeout(() => (this.spoken.textContent = words), SETTLED_MS);
  }
}

// One of the three pictures, with its values under pointer and keys.
class Layer {
  constructor(place, title, { sceneOf, paintCells }) {
    this.title = title;
    this.sceneOf = sceneOf;
    this.drawer = new Drawer(paintCells);
    this.root = place.appendChild(document.createElement("figure"));
    this.root.className = "code-figure__layer";
    this.root.appendChild(document.createElement("figcaption")).textContent = title;
    const canvas = this.root.appendChild(document.createElement("div"));
    canvas.className = "live__canvas";
    const cursor = document.createElement("div");
    cursor.className = "live__cursor";
    cursor.setAttribute("role", "application");
    cursor.setAttribute("aria-label", `Values of ${title}. Arrow keys move one value at a time.`);
    cursor.tabIndex = 0;
    canvas.append(this.drawer.stage, cursor);
    const parts = { canvas, cursor, picture: this.drawer.stage };
    this.canvas = canvas;
    this.readout = new Readout(this.root, parts, { picture: () => ({ scene: this.scene }), words: () => undefined });
    cursor.addEventListener("keydown", (event) => this.key(event));
  }

  // Nothing where the code gave no numbers here.
  draw(data, words) {
    this.canvas.hidden = !data;
    if (!data) return this.readout.leave();
    this.scene = this.sceneOf(data, WIDTH);
    this.drawer.paint(this.scene, DARK.matches ? "dark" : "light");
    this.drawer.stage.setAttribute("aria-label", `${this.title}. ${words}`);
    this.readout.leave();
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (!/^(Arrow|Page)(Up|Down|Left|Right)$|^(Home|End)$/.test(event.key)) return;
    event.preventDefault();
    this.readout.key(event.key);
  }
}
