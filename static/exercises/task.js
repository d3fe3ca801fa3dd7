// What a verdict shows in the pane of the task: the clause that it quotes is marked there, and the step
// that explains a mistake opens next to it. Without this script both are links: to the clause as the
// address names it, where style marks it, and to the step.

import { isBeside, listenToTabs, openPane } from "./bench.js";

const task = document.querySelector("#task");

const piecesOf = (name) => [...(task?.querySelectorAll(`[data-clause="${name}"]`) ?? [])];
const textOf = (elements) => elements.map((element) => element.textContent).join("").replace(/\s+/g, "");

// The verdict may be of a newer statement than that of the page, which then is as it was.
function isQuoted(quote, pieces) {
  const marks = [...quote.querySelectorAll("mark, [data-marked]")];
  return pieces.length > 0 && textOf(marks.length ? marks : [quote]) === textOf(pieces);
}

let unseen = null; // the lit clause that was not brought into sight yet

export function lightClauses(area) {
  for (const piece of task?.querySelectorAll(".clause--lit") ?? []) piece.classList.remove("clause--lit");
  unseen = null;
  for (const quote of area.querySelectorAll("[data-quotes]")) {
    const pieces = piecesOf(quote.dataset.quotes);
    if (!isQuoted(quote, pieces)) continue;
    for (const piece of pieces) piece.classList.add("clause--lit");
    unseen ??= pieces[0];
  }
  bringIntoPane();
}

// Only the pane moves, never the page, and only where the clause is out of sight. While its reader has
// the explanation, nothing moves until the task is selected.
function bringIntoPane() {
  if (!unseen || task.querySelector("#statement").hidden) return;
  const [pane, place] = [task.getBoundingClientRect(), unseen.getBoundingClientRect()];
  unseen = null;
  if (!isBeside() || (place.top >= pane.top && place.bottom <= pane.bottom)) return;
  task.scrollTop += place.top - pane.top - task.clientHeight / 3;
}

const opensElsewhere = (event) => event.ctrlKey || event.metaKey || event.shiftKey;

// Whether a click was on the link of a clause that the page has as the verdict quotes it.
export function showClause(event) {
  const link = event.target.closest("[data-shows]");
  if (!link || opensElsewhere(event)) return false;
  const pieces = piecesOf(link.dataset.shows);
  if (!isQuoted(link.closest(".mistake").querySelector("[data-quotes]"), pieces)) return false;
  const [piece] = pieces;
  event.preventDefault();
  openPane("task");
  showStatement();
  piece.tabIndex = -1;
  piece.focus({ preventScroll: true });
  piece.scrollIntoView({ block: "center" });
  return true;
}

// ---- The explanation

const list = task?.querySelector('[role="tablist"]');
const tabs = [...(list?.querySelectorAll('[role="tab"]') ?? [])];
const scrolled = new Map(); // where each of them was left
const pageOf = (tab) => document.getElementById(tab.getAttribute("aria-controls"));

function select(chosen, { focus = false } = {}) {
  const before = tabs.find((tab) => tab.getAttribute("aria-selected") === "true");
  if (before) scrolled.set(before, task.scrollTop);
  for (const tab of tabs) {
    const isChosen = tab === chosen;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    pageOf(tab).hidden = !isChosen;
  }
  if (before && before !== chosen) task.scrollTop = scrolled.get(chosen) ?? 0;
  bringIntoPane();
  if (focus) chosen.focus({ preventScroll: true });
}

function showStatement() {
  if (list && !list.hidden) select(tabs[0]);
}

function showTabs() {
  if (!list.hidden) return;
  list.hidden = false;
  for (const tab of tabs) {
    pageOf(tab).setAttribute("role", "tabpanel");
    pageOf(tab).setAttribute("aria-labelledby", tab.id);
  }
  listenToTabs(list, tabs, select);
  select(tabs[0]);
}

// Whether a click was on the link of an explanation, which then opens in the pane.
export function explain(event) {
  const link = event.target.closest("[data-explains]");
  if (!link || !list || opensElsewhere(event)) return false;
  event.preventDefault();
  showTabs();
  openPane("task");
  select(tabs[1], { focus: true });
  import("./explanation.js").then(
    ({ openStep }) => openStep(pageOf(tabs[1]), link.href),
    () => location.assign(link.href), // the draft is stored
  );
  return true;
}
