// Insert a figure: its encoding, view and sliders are chosen with the live picture, and it comes back
// as a block with its values, at the cursor. Without a script, Insert puts the figure as it begins.

import { insertBlock, textToWrite } from "./lesson.js";
import { fit, importParts, liven, NoPreview, previewOf, WORDS } from "./preview_part.js";

const SLIDERS_AT_FIRST = 2;
const form = document.querySelector("#writing");
const dialog = document.querySelector("#figure-dialog");
const opener = document.querySelector("#choose-figure");
const choice = dialog?.querySelector("select");
const picture = dialog?.querySelector("[data-picture]");
const names = dialog?.querySelector("[data-names]");
const words = dialog?.querySelector("[role=status]");

let figure = null; // the one that is shown
let initial = {}; // its values as it began
let newest = ""; // of the choices

const isNumber = (text) => /^-?\d+(\.\d+)?$/.test(text);
const written = (text) => (isNumber(text) ? text : JSON.stringify(text));

function blockOf(id, encoding, view, values, sliders) {
  const set = Object.entries(values).map(([name, value]) => `${name}: ${written(value)}`);
  const lines = [`id: ${id}`, `encoding: ${encoding}`, `view: ${view}`];
  if (set.length) lines.push(`set: {${set.join(", ")}}`);
  if (sliders.length) lines.push(`sliders: [${sliders.join(", ")}]`);
  return `\`\`\`figure\n${lines.join("\n")}\n\`\`\`\n`;
}

async function figureIn(text) {
  const data = new FormData();
  for (const hidden of form.querySelectorAll("[name=csrfmiddlewaretoken], [name=opened_by]")) data.set(hidden.name, hidden.value);
  const fields = { steps: "1", step: "1", "title-1": "Figure", "slug-1": "figure", "text-1": text };
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  const parts = await importParts(await previewOf(form, data));
  const figures = parts.map((part) => (part.matches("[data-figure]") ? part : part.querySelector("[data-figure]")));
  return figures.find(Boolean) ?? null;
}

function nameBoxes(all) {
  const boxes = all.map((name, place) => {
    const label = document.createElement("label");
    label.className = "check";
    const box = label.appendChild(document.createElement("input"));
    box.type = "checkbox";
    box.value = name;
    box.checked = place < SLIDERS_AT_FIRST;
    label.appendChild(document.createElement("span")).textContent = name;
    return label;
  });
  names.replaceChildren(...boxes);
}

async function show() {
  const own = (newest = choice.value);
  const [encoding, view] = own.split("/");
  words.textContent = "The figure is loading …";
  // Insert before it has loaded puts the figure as it begins, without values of another.
  figure = null;
  initial = {};
  names.replaceChildren();
  picture.replaceChildren();
  try {
    const plain = await figureIn(blockOf(view, encoding, view, {}, []));
    const all = Object.keys(JSON.parse(plain?.dataset.initial ?? "{}"));
    const whole = await figureIn(blockOf(view, encoding, view, {}, all));
    if (own !== newest) return;
    if (!whole) throw new NoPreview("This figure cannot be shown here. Insert it, and see its fault in the form.");
    fit(whole);
    picture.replaceChildren(whole);
    initial = JSON.parse(whole.dataset.initial);
    nameBoxes(all);
    [figure] = await liven([whole]);
    words.textContent = "";
  } catch (error) {
    console.warn(error);
    if (own !== newest) return;
    words.textContent = error instanceof NoPreview ? error.message : WORDS.lost;
    newest = ""; // the next opening tries again
  }
}

function freeId(text, view) {
  const taken = new Set([...text.matchAll(/^id: *(\S+)/gm)].map(([, id]) => id));
  let id = view;
  for (let number = 2; taken.has(id); number += 1) id = `${view}-${number}`;
  return id;
}

function insert() {
  const field = textToWrite();
  const [encoding, view] = choice.value.split("/");
  const now = figure?.controls.values() ?? initial;
  const changed = Object.fromEntries(Object.entries(now).filter(([name, value]) => String(value) !== initial[name]));
  const sliders = [...names.querySelectorAll("input:checked")].map(({ value }) => value);
  dialog.close();
  insertBlock(field, blockOf(freeId(field.value, view), encoding, view, changed, sliders));
}

// A slider that the author moves is one that readers may move.
function choose({ target }) {
  const name = target.closest("[data-control]")?.dataset.control;
  const box = name && names.querySelector(`[value="${name}"]`);
  if (box) box.checked = true;
}

if (form && dialog && opener) {
  const figures = [...form.querySelectorAll("#block option")].filter(({ value }) => value.startsWith("figure:"));
  for (const { value, textContent } of figures) choice.append(new Option(textContent, value.slice("figure:".length)));
  opener.hidden = !figures.length;
  opener.addEventListener("click", () => {
    dialog.showModal();
    if (choice.value !== newest) show();
  });
  choice.addEventListener("change", show);
  picture.addEventListener("change", choose);
  dialog.querySelector("[data-do=insert]").addEventListener("click", insert);
  dialog.querySelector("[data-do=close]").addEventListener("click", () => dialog.close());
}
