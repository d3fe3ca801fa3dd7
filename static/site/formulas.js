// A formula that is wider than its place scrolls. Without a mouse it can be scrolled only while it
// has the focus: it takes it exactly as long as there is something to scroll.

function look(formula) {
  const scrolls = formula.scrollWidth > formula.clientWidth;
  if (scrolls === formula.hasAttribute("tabindex")) return;
  const facts = { tabindex: "0", role: "region", "aria-label": "Formula" };
  for (const [name, value] of Object.entries(facts)) {
    if (scrolls) formula.setAttribute(name, value);
    else formula.removeAttribute(name);
  }
}

const watch = new ResizeObserver((entries) => {
  for (const { target } of entries) look(target.closest(".formula"));
});

for (const formula of document.querySelectorAll(".formula")) {
  watch.observe(formula);
  if (formula.firstElementChild) watch.observe(formula.firstElementChild); // its face may come late
}

// Formulas are observed before their face has come, and not every browser tells of what is inside.
document.fonts.addEventListener("loadingdone", () => document.querySelectorAll(".formula").forEach(look));
