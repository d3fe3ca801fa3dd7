// An exercise in a step of a lesson: the verb of its card opens the workbench in place. It is the one of
// the exercise's page, which is fetched with its styles and scripts, so a step weighs no more until then.
// Both places have the same form and the names that go with it, so what is written has one draft.
//
// Somebody who has begun finds it open once its screen comes near. Where it does not come, and without
// this script, the card leads to the exercise's page. The names in a workbench are a page's only ones, so
// a second card of a step leads there as well.

import { bringHtmx } from "../site/htmx.js";
import { addStyles, fetchPage } from "../site/other_page.js";
import { reachable } from "../site/reachable.js";

const NEAR = "50% 0px"; // half a window before it is seen, so that nothing in sight moves
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let isTaken = false; // a card of this page has a workbench, or awaits it

// Hints of what its scripts import, and how htmx is set up.
function addHints(page) {
  for (const link of page.querySelectorAll('link[rel="modulepreload"]')) document.head.append(document.importNode(link));
  const setting = 'meta[name="htmx-config"]';
  if (!document.querySelector(setting)) document.head.append(document.importNode(page.querySelector(setting)));
}

function runScripts(page) {
  const there = new Set([...document.scripts].map((script) => script.src));
  const modules = [...page.querySelectorAll('script[type="module"]')].filter((script) => !there.has(script.src));
  return Promise.all(modules.map((script) => import(script.src)));
}

async function fetchWorkbench(card, address) {
  const page = await fetchPage(address);
  const workbench = document.importNode(page.querySelector("[data-workbench]"), true);
  workbench.querySelector(".exercise__head").remove();
  workbench.setAttribute("role", "region");
  workbench.setAttribute("aria-labelledby", card.querySelector("h2").id);
  workbench.tabIndex = -1;
  addHints(page);
  await Promise.all([addStyles(page), bringHtmx()]);
  workbench.hidden = true; // until its buttons do what they do on its page
  // A screen may have columns, none of them as wide as a workbench.
  (card.closest(".screen") ?? card).after(workbench);
  await runScripts(page);
  window.htmx?.process(workbench); // without it, the form is sent with a reload
  return workbench;
}

function show(card, workbench, isOpen) {
  workbench.hidden = !isOpen;
  card.classList.toggle("exercise-card--open", isOpen);
  for (const part of card.querySelectorAll("[data-open]")) part.hidden = !isOpen;
  for (const part of card.querySelectorAll("[data-closed]")) part.hidden = isOpen;
}

function goTo(card, workbench) {
  workbench.focus({ preventScroll: true });
  card.scrollIntoView({ block: "start", behavior: calm.matches ? "auto" : "smooth" });
}

for (const card of document.querySelectorAll(".exercise-card")) {
  const verb = card.querySelector("a[data-closed]");
  const close = card.querySelector("button");
  const status = card.querySelector('[role="status"]');
  let workbench = null;

  const bring = async ({ byReader }) => {
    isTaken = true;
    card.setAttribute("aria-busy", "true");
    if (byReader) status.textContent = "Opening …";
    try {
      workbench = await fetchWorkbench(card, verb.href);
      show(card, workbench, true);
      status.textContent = "";
      if (byReader) goTo(card, workbench);
    } catch (error) {
      console.warn(error);
      isTaken = false;
      status.textContent = "";
      if (!byReader) return;
      if (await reachable()) location.assign(verb.href);
      else status.textContent = "Not opened: no connection. Try again in a moment.";
    } finally {
      card.removeAttribute("aria-busy");
    }
  };

  verb.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // in a tab of its own
    if (isTaken && !workbench && !card.hasAttribute("aria-busy")) return; // by another card
    event.preventDefault();
    if (card.hasAttribute("aria-busy")) return;
    if (!workbench) return bring({ byReader: true });
    show(card, workbench, true);
    goTo(card, workbench);
  });
  close.addEventListener("click", () => {
    show(card, workbench, false);
    verb.focus({ preventScroll: true });
    card.scrollIntoView({ block: "nearest" });
  });
  if ("begun" in card.dataset) {
    const watch = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        watch.disconnect();
        if (!isTaken) bring({ byReader: false });
      },
      { rootMargin: NEAR },
    );
    watch.observe(card);
  }
}
