// A sentence that readers hold: its words are moved by hand, by keys and by Shuffle, positions and the
// causal mask are switched on and off, and what has changed is said with measured numbers.

import { CHANGED, keep, kept, shuffled, split, whenTyped } from "../../site/words.js";
import { Arcs } from "./arcs.js";
import { Hand } from "./hand.js";
import { favourite, firstRead, largestChange, noteOf, sayChange, sayNumber, sayShares, sayWeight } from "./says.js";
import { Table } from "./table.js";
import { attend } from "./word-attention.js";

export const MOST_WORDS = 12; // of what a reader has typed, as many as have a column on a phone
const NARROW = 35; // letters for which a line of words has room, as in picture.py
const WIDE = 72;
const INVITATION = "Move a word to see what changes.";
export const MOVED = "sentence:moved";

export class Sentence {
  // `order` are the places that the words come from; with `travels` they are seen to go there.
  constructor(root, { order = null, travels = false } = {}) {
    this.root = root;
    this.parts = Object.fromEntries([...root.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));
    const { look, positions, mask } = root.dataset;
    Object.assign(this, { look, positions: positions === "on", causal: mask === "causal" });
    this.isOutputs = look === "outputs";
    const own = "own" in root.dataset ? kept() : [];
    this.first = split(root.dataset.sentence);
    this.name = root.id;
    this.keys = Object.assign(document.createElement("p"), { id: `${this.name}-keys`, className: "visually-hidden" });
    this.keys.textContent = "Arrow keys move it.";
    const tile = (token, axis) => this.tile(token, axis);
    this.picture = look === "arcs" ? new Arcs(this, this.parts.stage, tile) : new Table(this, this.parts.stage, tile);
    this.values = this.parts.table ? new Table(this, this.parts.table) : null;
    this.hand = new Hand(root, {
      picture: this.picture,
      order: () => this.order,
      move: (order, pinned) => this.arrange(order, pinned),
      end: (before) => this.tellMove(before),
    });
    this.connect();
    this.isOwn = own.length > 1;
    const first = this.isOwn ? null : (order ?? root.dataset.order?.split(" ").map(Number));
    this.show(this.isOwn ? own : this.first, travels ? null : first);
    root.append(this.keys);
    root.classList.add("sentence--on");
    if (travels && first) this.go(first);
  }

  connect() {
    const { shuffle, positions, mask, words } = this.parts;
    shuffle?.addEventListener("click", () => this.isEnough() && this.shuffle());
    positions?.addEventListener("click", () => this.turn("positions", positions, "Positions"));
    mask?.addEventListener("click", () => this.turn("causal", mask, "The causal mask"));
    if (words) whenTyped(words, () => this.takeWords());
    addEventListener(CHANGED, ({ detail }) => {
      if (this.isTyping || "own" in this.root.dataset) this.show(detail);
    });
  }

  tile(token, axis) {
    const tile = document.createElement("button");
    tile.type = "button";
    tile.className = "sentence__tile";
    tile.textContent = this.words[token];
    tile.setAttribute("aria-describedby", `${this.keys.id} ${this.name}-reading`);
    Object.assign(tile.dataset, { token, axis });
    return tile;
  }

  // A new sentence, in an order.
  show(words, order = null) {
    this.isCut = words.length > MOST_WORDS;
    this.typed = words;
    this.words = words.slice(0, MOST_WORDS);
    this.order = order?.length === this.words.length ? order : this.words.map((_, token) => token);
    const letters = this.words.length * (Math.max(...this.words.map((word) => Array.from(word).length)) + 1);
    this.root.classList.toggle("sentence--turned-narrow", letters > NARROW && !this.isOutputs);
    this.root.classList.toggle("sentence--turned-wide", letters > WIDE && !this.isOutputs);
    const field = this.parts.words; // what somebody is typing keeps its spaces
    if (field && field !== document.activeElement) field.value = words.join(" ");
    this.hand.reset();
    this.compute();
    const row = firstRead(this.attention);
    this.chosen = this.order[row];
    this.pair = [this.chosen, this.isOutputs ? 0 : this.order[favourite(this.attention, row)]];
    for (const picture of this.pictures) {
      picture.build();
      picture.arrange(this.order);
    }
    this.paint();
    this.tell(this.isCut ? `The first ${MOST_WORDS} words are shown.` : "");
  }

  get pictures() {
    return this.values ? [this.picture, this.values] : [this.picture];
  }

  get inOrder() {
    return this.order.map((token) => this.words[token]);
  }

  // Before a guess the attention of another order is not shown.
  get isCovered() {
    return "covered" in this.root.dataset && this.inOrder.join(" ") !== this.words.join(" ");
  }

  compute() {
    this.attention = attend(this.inOrder, this);
  }

  arrange(order, pinned) {
    this.order = order;
    this.compute();
    for (const picture of this.pictures) picture.arrange(order, pinned);
    this.paint();
  }

  paint() {
    this.root.classList.toggle("sentence--covered", this.isCovered);
    for (const picture of this.pictures) picture.paint(this);
    this.order.forEach((token, slot) => {
      const tile = this.root.querySelector(`button[data-token="${token}"]`);
      tile.setAttribute("aria-label", `${this.words[token]}, place ${slot + 1} of ${this.order.length}`);
    });
    this.say();
    this.root.dispatchEvent(new CustomEvent(MOVED));
  }

  choose(token) {
    if (this.chosen === token || this.hand.held?.isMoving) return;
    this.chosen = token;
    this.picture.paint(this);
    this.say();
  }

  readCell(row, column) {
    this.pair = [row, column];
    this.say();
  }

  // The sentence under the picture: of the chosen word, or of the cell that is read.
  say() {
    const [words, place] = [this.inOrder, (token) => this.order.indexOf(token)];
    const [row, column] = this.pair;
    const said = {
      arcs: () => sayShares(words, this.attention, place(this.chosen)),
      grid: () => sayWeight(words, this.attention, place(row), place(column), this.causal),
      outputs: () => sayNumber(words, this.attention, place(row), column),
    };
    this.parts.reading.textContent = this.isCovered ? "Guess, then look." : said[this.look]();
  }

  tell(words) {
    if (!this.parts.status) return;
    const { outputs, weights } = this.attention;
    const values = this.isOutputs ? outputs : weights;
    const note = "compact" in this.root.dataset ? "" : noteOf(this.inOrder, values, this.look);
    const said = [words, note].filter(Boolean).join(" ") || INVITATION;
    // The server has said it already: a screen reader would say it once more as the page opens.
    if (this.parts.status.textContent.trim() !== said) this.parts.status.textContent = said;
  }

  // The largest change of a number, each beside the same words as before.
  changeSince(before, settings = this) {
    const words = before.map((token) => this.words[token]);
    const old = attend(words, settings);
    const slots = this.order.map((token) => before.indexOf(token));
    const followed = this.isOutputs
      ? slots.map((slot) => old.outputs[slot])
      : slots.map((row) => slots.map((column) => old.weights[row][column]));
    return largestChange(followed, this.isOutputs ? this.attention.outputs : this.attention.weights);
  }

  get cause() {
    if (this.positions) return this.causal ? "With positions and the causal mask" : "With positions";
    return this.causal ? "With the causal mask" : "";
  }

  tellMove(before) {
    const isSame = before.map((token) => this.words[token]).join(" ") === this.inOrder.join(" ");
    if (isSame && before.join() === this.order.join()) return; // it was put back
    this.tell(sayChange(this.changeSince(before), { isOutputs: this.isOutputs, cause: this.cause, isSame }));
  }

  turn(name, button, title) {
    const settings = { positions: this.positions, causal: this.causal };
    this[name] = !this[name];
    button.setAttribute("aria-checked", String(this[name]));
    this.compute();
    this.paint();
    const change = this.changeSince(this.order, settings).toFixed(2);
    const what = this.isOutputs ? "outputs" : "weights";
    this.tell(`${title} ${this[name] ? "on" : "off"}: ${what} change by up to ${change}.`);
  }

  isEnough() {
    const isEnough = !this.parts.words || split(this.parts.words.value).length > 1;
    if (!isEnough) this.parts.status.textContent = "Write at least two words.";
    return isEnough;
  }

  takeWords() {
    if (!this.isEnough()) return;
    const words = split(this.parts.words.value);
    if (words.join(" ") === this.typed.join(" ")) return;
    this.isTyping = true;
    keep(words);
    this.isTyping = false;
  }

  shuffle() {
    const words = this.inOrder;
    this.go(shuffled(words, words).map((slot) => this.order[slot]));
  }

  go(order) {
    const before = this.order;
    this.hand.travel(order);
    this.tellMove(before);
  }
}
