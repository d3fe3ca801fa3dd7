// A sentence in one line under arcs: each leads from a word to one that it looks at, thicker for more.
// The chosen word's are in colour, with their numbers below the words.

import { reorder } from "./table.js";

const SVG = "http://www.w3.org/2000/svg";
const PLACE = 100; // units of a word in the picture, as in quizzes/lessons/sentence/picture.py

export class Arcs {
  constructor(sentence, place, tile) {
    Object.assign(this, { sentence, place, tile });
  }

  build() {
    const { words } = this.sentence;
    this.picture = document.createElementNS(SVG, "svg");
    const facts = { class: "sentence__arcs", viewBox: `0 0 ${PLACE * words.length} 100`, preserveAspectRatio: "none", "aria-hidden": "true" };
    for (const [name, value] of Object.entries(facts)) this.picture.setAttribute(name, value);
    this.paths = words.map(() => words.map(() => document.createElementNS(SVG, "path")));
    this.line = document.createElement("ul");
    this.line.className = "sentence__line";
    this.line.setAttribute("role", "list");
    this.places = words.map((_, token) => {
      const place = document.createElement("li");
      place.className = "sentence__place";
      const share = document.createElement("span");
      share.className = "sentence__share";
      share.setAttribute("aria-hidden", "true");
      const label = this.tile(token, "x");
      const choose = () => this.sentence.choose(token);
      label.addEventListener("pointerenter", choose);
      label.addEventListener("focus", choose);
      place.append(label, share);
      return { place, label, share };
    });
    this.line.append(...this.places.map(({ place }) => place));
    this.place.replaceChildren(this.picture, this.line);
  }

  arrange(order, pinned) {
    const places = order.map((token) => this.places[token].place);
    reorder(this.line, places, this.places[pinned]?.place ?? places[0]);
  }

  paint({ order, attention, chosen, isCovered }) {
    this.order = order;
    const slots = new Map(order.map((token, slot) => [token, slot]));
    const row = slots.get(chosen);
    this.places.forEach(({ label, share }, token) => {
      label.classList.toggle("sentence__tile--chosen", token === chosen);
      share.textContent = isCovered ? "?" : attention.weights[row][slots.get(token)].toFixed(2);
    });
    this.paths.forEach((paths, from) =>
      paths.forEach((path, to) => {
        path.setAttribute("stroke-width", (1 + 16 * attention.weights[slots.get(from)][slots.get(to)]).toFixed(2));
        path.setAttribute("class", `sentence__arc--${from === chosen ? "chosen" : "other"}`);
      }),
    );
    // Those of the chosen word lie over the others, and it alone has an arc to itself.
    const others = this.paths.flatMap((paths, from) => (from === chosen ? [] : paths.filter((_, to) => to !== from)));
    this.picture.replaceChildren(...others, ...this.paths[chosen]);
    this.draw({});
  }

  shift(offsets) {
    const { width } = this.size;
    this.places.forEach(({ place }, token) => {
      place.style.transform = offsets[token] ? `translateX(${(offsets[token] * width).toFixed(1)}px)` : "";
    });
    this.draw(offsets);
  }

  draw(offsets) {
    const at = new Map(this.order.map((token, slot) => [token, PLACE * (slot + 0.5 + (offsets[token] ?? 0))]));
    const count = this.order.length;
    this.paths.forEach((paths, from) =>
      paths.forEach((path, to) => path.setAttribute("d", arc(at.get(from), at.get(to), count, from === to))),
    );
  }

  measure() {
    this.size = { width: this.line.offsetWidth / this.places.length, height: 0 };
    return this.size;
  }

  hold(token) {
    this.places.forEach(({ place }, at) => place.classList.toggle("sentence__part--held", at === token));
  }
}

function arc(start, end, count, isOwn) {
  const [left, right] = [Math.min(start, end), Math.max(start, end)].map((x) => Number(x.toFixed(2)));
  if (isOwn) return `M${left - 12} 100C${left - 46} 54 ${left + 46} 54 ${left + 12} 100`;
  const top = Number((100 - 46 - (80 * Math.abs(end - start)) / PLACE / Math.max(count - 1, 1)).toFixed(2));
  return `M${left} 100C${left} ${top} ${right} ${top} ${right} 100`;
}
