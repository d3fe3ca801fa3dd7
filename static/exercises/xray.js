import { hasTabs } from "./bench.js";

// What the expressions of the code were, shown where they stand: a card for the one that the pointer is
// on, another below the code for the one with the cursor, and a green line under what a right solution
// has as well, a dotted one under the first value that none has. In the plain field there is the card
// below it. All of it goes once the code is edited.

const NUMBER_OF_COLOURS = 254; // the middle one is 0

let place = null; // the first expression whose value no right solution has: { from, to, yours, right }
let expressions = []; // with `from` and `to` in the text, the innermost first
let panel = null; // below the code where the result is in a tab of its own, else in the result
const said = element("p", "visually-hidden", ""); // of the card, what is read aloud at each step
let field = null; // the textarea
let editor = null; // { view, parts, effect }

export function showXray(code, data) {
  field ??= begin(code);
  expressions = placed(data, code.value);
  place = data.place ? { ...data.place, ...range(data.place.span, lineStarts(code.value)) } : null;
  for (const home of document.querySelectorAll("[data-xray-picture]")) {
    const picture = data.place?.[home.dataset.xrayPicture]?.picture;
    home.replaceChildren(...(picture ? [pictureOf(picture)] : []));
  }
  mark();
  follow();
}

function begin(code) {
  panel = document.createElement("div");
  panel.className = "xray-panel";
  panel.hidden = true;
  panel.setAttribute("role", "group");
  said.setAttribute("role", "status");
  panel.setAttribute("aria-label", "X-ray of the expression at the cursor");
  code.dispatchEvent(new CustomEvent("use-editor", { detail: useEditor }));
  code.addEventListener("input", forget);
  document.addEventListener("selectionchange", () => document.activeElement === code && follow());
  return code;
}

function forget() {
  if (!expressions.length) return;
  expressions = [];
  place = null;
  mark();
  follow();
}

// Lines count from 1 and columns from 0; an expression may stand in the text more than once, as the
// names that were bound to its value do.
function placed(data, text) {
  const starts = lineStarts(text);
  const all = data.expressions.flatMap((item) =>
    item.spans.map((span) => ({ ...item, ...data.values[item.value], ...range(span, starts) })),
  );
  return all.sort((one, other) => one.to - one.from - (other.to - other.from));
}

function lineStarts(text) {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function range([line, column, endLine, end], starts) {
  return { from: starts[line - 1] + column, to: starts[endLine - 1] + end };
}

// The smallest expression around a place; right behind its end it counts too, as a cursor stands there.
function at(place) {
  const inside = expressions.find(({ from, to }) => from <= place && place < to);
  return inside ?? expressions.find(({ to }) => to === place);
}

// ---- The editor

function useEditor(view, parts) {
  const { Decoration, EditorView, StateEffect, StateField, hoverTooltip } = parts;
  const effect = StateEffect.define();
  const marks = StateField.define({
    create: () => Decoration.none,
    update(value, transaction) {
      if (transaction.docChanged) return Decoration.none;
      for (const change of transaction.effects) if (change.is(effect)) return change.value;
      return value;
    },
    provide: (own) => EditorView.decorations.from(own),
  });
  const tooltip = hoverTooltip((_, place) => {
    const item = at(place);
    if (!item || (item === shown && editor.view.hasFocus)) return null; // its card is there
    return { pos: item.from, end: item.to, above: true, create: () => ({ dom: cardOf(item) }) };
  });
  const caret = EditorView.updateListener.of((update) => update.selectionSet && follow());
  view.dispatch({ effects: StateEffect.appendConfig.of([marks, tooltip, caret]) });
  editor = { view, parts, effect };
  mark();
}

function mark(current) {
  if (!editor?.view.dom.isConnected) return;
  const { view, parts, effect } = editor;
  const { Decoration } = parts;
  const line = Decoration.mark({ class: "xray-known" });
  const here = Decoration.mark({ class: "xray-here" });
  const ranges = expressions.filter(({ known }) => known).map(({ from, to }) => line.range(from, to));
  if (place) ranges.push(Decoration.mark({ class: "xray-place" }).range(place.from, place.to));
  if (current) ranges.push(here.range(current.from, current.to));
  view.dispatch({ effects: effect.of(Decoration.set(ranges, true)) });
}

function caretPlace() {
  return field.hidden && editor ? editor.view.state.selection.main.head : field.selectionStart;
}

let shown = null;

// Not within the update of the editor that reports a new cursor: the marks are an update as well.
function follow() {
  queueMicrotask(() => {
    const item = expressions.length ? at(caretPlace()) : undefined;
    if (item !== shown) {
      shown = item;
      mark(item);
      panel.replaceChildren(item ? cardOf(item) : hint(), said);
      said.textContent = item ? `${item.text}: ${item.what}` : "";
    }
    panel.hidden = !expressions.length;
    const home = hasTabs() ? field.closest(".code-form__field") : document.querySelector("#xray-panel");
    if (home && panel.parentNode !== home) home.append(panel);
    uncoverCaret();
  });
}

// Below the code the card stays at the foot of the window, over the code: never over the cursor.
function uncoverCaret() {
  if (!hasTabs() || !shown || !field.hidden || !editor.view.hasFocus) return;
  requestAnimationFrame(() => {
    const caret = editor.view.coordsAtPos(caretPlace());
    const covered = caret ? caret.bottom - panel.getBoundingClientRect().top : 0;
    if (covered > 0) scrollBy({ top: covered + 8 });
  });
}

function hint() {
  return element("p", "meta", "Point at an expression, or move the cursor into it: most show what they were.");
}

// ---- A card

function element(name, style, text) {
  const node = document.createElement(name);
  node.className = style;
  node.textContent = text;
  return node;
}

function cardOf(item) {
  const card = element("div", "xray-card", "");
  card.append(element("code", "xray-card__text", item.text));
  card.append(element("p", "xray-card__what", `${item.what[0].toUpperCase()}${item.what.slice(1)}. ${item.times}`));
  const values = element("div", "xray-card__values", "");
  if (item.picture) values.append(pictureOf(item.picture));
  if (item.numbers) values.append(element("pre", "xray-card__numbers", item.numbers));
  if (values.firstChild) card.append(values);
  if (item.note) card.append(element("p", "meta", item.note));
  if (place?.from === item.from && place.to === item.to) card.append(...placeOf());
  if (item.known) card.append(element("p", "xray-card__known", "A right solution has this value too, maybe in another place."));
  return card;
}

function placeOf() {
  const said = element("p", "xray-card__place", "This occurs in no right solution that we know. Look here first.");
  if (!place.right) return [said];
  const values = element("div", "xray-card__values", "");
  if (place.right.picture) values.append(pictureOf(place.right.picture));
  values.append(element("pre", "xray-card__numbers", place.right.numbers));
  return [said, element("p", "meta", "The reference computes this with the same value:"), values];
}

// A pixel for each cell, stretched by style. The numbers next to it say the same in words.
function pictureOf(picture) {
  const canvas = element("canvas", "xray-card__picture", "");
  canvas.width = picture.columns;
  canvas.height = picture.rows;
  canvas.setAttribute("aria-hidden", "true");
  canvas.style.aspectRatio = `${picture.columns} / ${picture.rows}`;
  canvas.style.inlineSize = `${Math.min(picture.columns * 14, 160)}px`;
  import("../figures/palettes/signed_unit.js").then(({ default: bytes }) => paint(canvas, picture, bytes));
  return canvas;
}

function paint(canvas, { rows, columns, cells }, bytes) {
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const colours = atob(bytes[isDark ? "dark" : "light"]);
  const image = new ImageData(columns, rows);
  [...atob(cells)].forEach((letter, cell) => {
    const level = letter.charCodeAt(0);
    const at = 3 * Math.round((255 * level) / NUMBER_OF_COLOURS);
    const grey = isDark ? 90 : 170; // NaN or infinite
    const rgb = [0, 1, 2].map((part) => (level > NUMBER_OF_COLOURS ? grey : colours.charCodeAt(at + part)));
    image.data.set([...rgb, 255], 4 * cell);
  });
  canvas.getContext("2d").putImageData(image, 0, 0);
}
