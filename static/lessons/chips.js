// Words of the text that drive the figure beside them: they become buttons. `set` moves its sliders,
// `show` outlines a row, a column or a cell, and takes the outline away when pressed again. Nothing
// scrolls. A screen reader is told once what changed, when the figure shows it.

import { figureOf } from "./figure.js";

const told = document.createElement("p");
told.className = "visually-hidden";
told.setAttribute("role", "status");
document.body.append(told);

function valuesOf(chip) {
  return Object.fromEntries(chip.dataset.values.split(" ").map((pair) => pair.split("=")));
}

function inWords(values) {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}

// Numbers may be written in several ways, 1e4 and 10000.
function isSame(one, other) {
  return one === other || Number(one) === Number(other);
}

function isSet(values, parameters) {
  return Object.entries(values).every(([name, value]) => isSame(parameters[name], value));
}

function set(root, values) {
  const figure = figureOf(root);
  if (isSet(values, figure.controls.values())) {
    told.textContent = `The figure already shows ${inWords(values)}.`;
    return;
  }
  figure.setParameters(values, (answer) => {
    told.textContent = `The figure shows ${inWords(values)}. ${answer.finding}`;
    return told.textContent;
  });
}

async function show(root, values, button) {
  const isNew = button.getAttribute("aria-pressed") !== "true";
  const { id } = root;
  for (const other of document.querySelectorAll(`.chip[aria-pressed][aria-controls="${id}"]`)) {
    other.setAttribute("aria-pressed", "false");
  }
  button.setAttribute("aria-pressed", String(isNew));
  const place = Object.fromEntries(Object.entries(values).map(([name, at]) => [name, Number(at)]));
  const isThere = await figureOf(root).outline(isNew ? place : undefined);
  if (!isNew) told.textContent = "The outline has been removed.";
  else told.textContent = isThere ? `Outlined: ${inWords(values)}.` : `The picture does not show ${inWords(values)} right now.`;
}

function start(chip) {
  const root = document.getElementById(`figure-${chip.dataset.drives}`);
  if (!root || !figureOf(root)) return; // plain words
  const button = document.createElement("button");
  button.type = "button";
  button.className = chip.className;
  button.setAttribute("aria-controls", root.id);
  const values = valuesOf(chip);
  button.append(...chip.childNodes);
  chip.replaceWith(button);
  if (chip.dataset.chip === "show") {
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", () => show(root, values, button));
    return;
  }
  const mark = (parameters) => button.classList.toggle("chip--on", isSet(values, parameters));
  root.addEventListener("figure:shown", (event) => mark(event.detail));
  mark(figureOf(root).controls.values());
  button.addEventListener("click", () => set(root, values));
}

for (const chip of document.querySelectorAll("span[data-chip]")) start(chip);
