// Another picture is chosen: the parameters as the sliders stand now go along, not those the page
// was made with. The figures keep them in the address.

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

// Choosing applies at once. With the keyboard a closed menu says "changed" at every arrow key:
// there it waits for a pause, and the menu has the focus again when the page has come.
const PAUSE = 700; // ms after the last arrow key
const FOCUS = "ordinal:explore-focus";
let byKey = false;
let timer = 0;

function apply(menu) {
  clearTimeout(timer);
  sessionStorage.setItem(FOCUS, menu.id);
  form.requestSubmit();
}

form?.addEventListener("keydown", () => (byKey = true));
form?.addEventListener("pointerdown", () => (byKey = false));
form?.addEventListener("change", (event) => {
  if (event.target.tagName !== "SELECT") return;
  clearTimeout(timer);
  if (byKey) timer = setTimeout(apply, PAUSE, event.target);
  else apply(event.target);
});
form?.querySelector("[data-show]")?.remove(); // the way without this script
const last = sessionStorage.getItem(FOCUS);
sessionStorage.removeItem(FOCUS);
if (last) document.getElementById(last)?.focus({ preventScroll: true });
