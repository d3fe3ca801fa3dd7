// What a verdict shows in the task: the clause that it quotes is marked there, and its link leads to it.
// Without this script the link leads to the clause as the address names it, and style marks it.

import { isBeside, openPane } from "./bench.js";

const task = document.querySelector("#task");

const piecesOf = (name) => [...(task?.querySelectorAll(`[data-clause="${name}"]`) ?? [])];
const textOf = (elements) => elements.map((element) => element.textContent).join("").replace(/\s+/g, "");

// The verdict may be of a newer statement than that of the page, which then is as it was.
function isQuoted(quote, pieces) {
  const marks = [...quote.querySelectorAll("mark")];
  return pieces.length > 0 && textOf(marks.length ? marks : [quote]) === textOf(pieces);
}

export function lightClauses(area) {
  for (const piece of task?.querySelectorAll(".clause--lit") ?? []) piece.classList.remove("clause--lit");
  let first = null;
  for (const quote of area.querySelectorAll("[data-quotes]")) {
    const pieces = piecesOf(quote.dataset.quotes);
    if (!isQuoted(quote, pieces)) continue;
    for (const piece of pieces) piece.classList.add("clause--lit");
    first ??= pieces[0];
  }
  if (first && isBeside()) bringIntoPane(first);
}

// Only the pane moves, never the page, and only where the clause is out of sight.
function bringIntoPane(piece) {
  const [pane, place] = [task.getBoundingClientRect(), piece.getBoundingClientRect()];
  if (place.top >= pane.top && place.bottom <= pane.bottom) return;
  task.scrollTop += place.top - pane.top - task.clientHeight / 3;
}

// Whether a click was on the link of a clause that the page has.
export function showClause(event) {
  const link = event.target.closest("[data-shows]");
  const [piece] = link ? piecesOf(link.dataset.shows) : [];
  if (!piece) return false;
  event.preventDefault();
  openPane("task");
  piece.tabIndex = -1;
  piece.focus({ preventScroll: true });
  piece.scrollIntoView({ block: "center" });
  return true;
}
