// Another picture is chosen: the parameters as the sliders stand now go along, not those the page
// was made with. The figures keep them in the address.

import { isUsed } from "../site/early.js";

const form = document.querySelector("[data-explore]");

form?.addEventListener("submit", () => {
  dispatchEvent(new Event("figure:write")); // what the figures have not written yet
  for (const field of form.querySelectorAll("[data-kept]")) field.remove();
  for (const [name, value] of new URLSearchParams(location.search)) {
    if (!name.includes(".")) continue;
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value });
    field.dataset.kept = "";
    form.append(field);
  }
});

// Choosing applies at once. With the keyboard a closed menu says "changed" at every key of a word
// that is typed and at every arrow: there it waits for Enter, or until the menu is left, and the
// focus is where it was, or went, when the page has come.
const FOCUS = "ordinal:explore-focus";
const menus = [...(form?.querySelectorAll("select") ?? [])];
const early = menus.filter(isUsed); // chosen before this script came: they wait for the button, or until they are left
const shown = new Map(menus.map((menu) => [menu, early.includes(menu) ? null : menu.value]));
let key = ""; // the last one; "" after a pointer

function apply(menu, focus) {
  if (menu.value === shown.get(menu)) return;
  sessionStorage.setItem(FOCUS, focus);
  form.requestSubmit();
}

form?.addEventListener("keydown", (event) => {
  key = event.key;
  const menu = event.target;
  if (key === "Enter" && shown.has(menu)) setTimeout(() => apply(menu, menu.id)); // an open menu first takes its choice
});
form?.addEventListener("pointerdown", () => (key = ""));
form?.addEventListener("change", (event) => {
  const menu = event.target;
  if (shown.has(menu) && (key === "" || key === "Enter")) apply(menu, menu.id);
});
form?.addEventListener("focusout", (event) => {
  const menu = event.target;
  if (shown.has(menu) && event.relatedTarget) apply(menu, event.relatedTarget.id || menu.id);
});
if (!early.length) form?.querySelector("[data-show]")?.remove(); // the way without this script
const last = sessionStorage.getItem(FOCUS);
sessionStorage.removeItem(FOCUS);
if (last) document.getElementById(last)?.focus({ preventScroll: true });
