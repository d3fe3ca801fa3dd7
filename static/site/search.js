// The search dialog: `/` or the link in the header opens it, arrows choose, Enter follows, Escape
// closes. Its list is that of the search page, to which the link leads without this script.

const link = document.querySelector("[data-search]");
const PAUSE = 120; // ms after the last key
const FAR = "Search cannot be reached right now. Try again in a moment.";
let parts = null;
let asking = 0;
let timer = 0;
let answered = ""; // the words that the list is for

function made() {
  const dialog = document.createElement("dialog");
  dialog.className = "search-dialog";
  dialog.setAttribute("aria-label", "Search");
  const inner = element("div", "search-dialog__inner");
  const form = element("form", "search-dialog__top");
  form.setAttribute("role", "search");
  form.action = link.href;
  const field = element("input");
  Object.assign(field, { type: "search", name: "q", maxLength: 100, autocomplete: "off", spellcheck: false });
  field.placeholder = "Lessons, exercises, terms";
  const named = {
    role: "combobox",
    "aria-label": "Search this course",
    "aria-autocomplete": "list",
    "aria-controls": "search-list",
    "aria-expanded": "false",
    autocapitalize: "none",
  };
  for (const [name, value] of Object.entries(named)) field.setAttribute(name, value);
  const shut = element("button", "button button--quiet");
  Object.assign(shut, { type: "button", textContent: "Close" });
  form.append(field, shut);
  const area = element("div", "search-dialog__list");
  // It scrolls where the hits are many, and can be scrolled by keys while it has the focus.
  Object.assign(area, { tabIndex: 0, role: "group", ariaLabel: "Search results" });
  const count = element("p", "meta");
  count.setAttribute("role", "status");
  const list = element("ul", "search__hits");
  list.id = "search-list";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Results");
  area.append(count, list);
  inner.append(form, area);
  dialog.append(inner);
  document.body.append(dialog);
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE);
  });
  field.addEventListener("keydown", onKey);
  form.addEventListener("submit", onEnter);
  shut.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  return { dialog, field, count, list };
}

function element(name, classes = "") {
  const one = document.createElement(name);
  if (classes) one.className = classes;
  return one;
}

function open() {
  parts ??= made();
  if (parts.dialog.open) return;
  parts.dialog.showModal();
  parts.field.focus();
  parts.field.select();
}

async function ask() {
  const words = parts.field.value.trim();
  const mine = ++asking;
  if (!words) return fill([], "");
  try {
    const answer = await fetch(`${link.href}?q=${encodeURIComponent(words)}`);
    if (!answer.ok) throw new Error(answer.status);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (mine !== asking) return; // a later word was asked for meanwhile
    answered = words;
    fill([...page.querySelectorAll(".search__hit")], page.querySelector(".search__count").textContent);
  } catch {
    if (mine === asking) fill([], FAR);
  }
}

function fill(hits, said) {
  parts.count.textContent = said;
  const items = hits.map((hit, number) => {
    const item = element("li");
    item.setAttribute("role", "presentation");
    const own = document.importNode(hit, true);
    own.id = `search-hit-${number}`;
    own.setAttribute("role", "option");
    own.tabIndex = -1;
    item.append(own);
    return item;
  });
  parts.list.replaceChildren(...items);
  parts.field.setAttribute("aria-expanded", String(items.length > 0));
  choose(items.length ? 0 : -1);
}

const options = () => [...parts.list.querySelectorAll("[role=option]")];
const chosen = () => parts.list.querySelector("[aria-selected=true]");

function choose(number) {
  options().forEach((one, at) => one.setAttribute("aria-selected", String(at === number)));
  const now = chosen();
  if (now) parts.field.setAttribute("aria-activedescendant", now.id);
  else parts.field.removeAttribute("aria-activedescendant");
  now?.scrollIntoView({ block: "nearest" });
}

function onKey(event) {
  const all = options();
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || !all.length) return;
  event.preventDefault();
  choose((all.indexOf(chosen()) + step + all.length) % all.length);
}

async function onEnter(event) {
  event.preventDefault();
  clearTimeout(timer);
  if (parts.field.value.trim() !== answered) await ask(); // the list is that of an earlier word
  const now = chosen();
  if (!now) return;
  parts.dialog.close(); // a hit may be on this very page
  location.assign(now.href);
}

const TYPING = "input, textarea, select, [contenteditable], [role=textbox], .cm-editor";

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (!link || event.target.closest?.(TYPING) || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  open();
});
link?.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  open();
});
