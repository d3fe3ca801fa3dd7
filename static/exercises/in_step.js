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
// Modules run once, for the form that is there: after a failure among them, no second form may come.
let hasRun = false;

// Hints of what its scripts import, and how htmx is set up.
function addHints(page) {
  for (const link of page.querySelectorAll('link[rel="modulepreload"]')) document.head.append(document.importNode(link));
  const setting = 'meta[name="htmx-config"]';
  if (!document.querySelector(setting)) document.head.append(document.importNode(page.querySelector(setting)));
}

function runScripts(page) {
  const there = new Set([...document.scripts].map((script) => script.src));
  const modules = [...page.querySelectorAll('script[type="module"]')].filter((script) => !there.has(script.src));
  return Promise.all(modules.map(({ src }) => import(src)));
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
  hasRun = true;
  try {
    await runScripts(page);
  } catch (error) {
    workbench.remove();
    throw error;
  }
  window.htmx?.process(workbench); // without it, the form is sent with a reload
  return workbench;
}

function show(card, workbench, isOpen) {
  workbench.hidden = !isOpen;
  card.classList.toggle("exercise-card--open", isOpen);
  for (const button of card.querySelectorAll("a[data-closed], button[data-open]")) {
    button.setAttribute("aria-expanded", String(isOpen));
  }
  for (const part of card.querySelectorAll("[data-open]")) part.hidden = !isOpen;
  for (const part of card.querySelectorAll("[data-closed]")) part.hidden = isOpen;
}

function goTo(card, workbench) {
  workbench.focus({ preventScroll: true });
  card.scrollIntoView({ block: "start", behavior: calm.matches ? "auto" : "smooth" });
}

// What the card says of the work was true when the step was sent; the site knows what is true now.
async function readAgain(card) {
  try {
    const page = await fetchPage(location.href);
    const fresh = page.getElementById(card.querySelector("h2").id).closest(".exercise-card");
    const parts = fresh.querySelectorAll("[data-closed]");
    for (const [place, part] of card.querySelectorAll("[data-closed]").entries()) {
      part.className = parts[place].className;
      part.replaceChildren(...document.importNode(parts[place], true).childNodes);
    }
  } catch (error) {
    console.warn(error); // without a connection it says what it said
  }
}

for (const card of document.querySelectorAll(".exercise-card")) {
  const verb = card.querySelector("a[data-closed]");
  const close = card.querySelector("button");
  const status = card.querySelector('[role="status"]');
  let workbench = null;
  let isComing = false;
  verb.setAttribute("aria-expanded", "false"); // without this script, it leads to another page
  let isPressed = false; // the reader wants it, if only since it is on its way by itself

  const bring = async () => {
    isTaken = isComing = true;
    try {
      workbench = await fetchWorkbench(card, verb.href);
      const isHere = card.contains(document.activeElement); // on the verb, which is now hidden
      show(card, workbench, true);
      status.textContent = "";
      if (isPressed || isHere) goTo(card, workbench);
    } catch (error) {
      console.warn(error);
      isTaken = hasRun;
      status.textContent = "";
      if (!isPressed) return;
      if (await reachable()) location.assign(verb.href);
      else status.textContent = "Not opened: no connection. Try again in a moment.";
    } finally {
      isComing = isPressed = false;
    }
  };

  verb.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // in a tab of its own
    if (isTaken && !workbench && !isComing) return; // by another card, or its scripts failed
    event.preventDefault();
    if (workbench) {
      show(card, workbench, true);
      goTo(card, workbench);
      return;
    }
    isPressed = true;
    status.textContent = "Opening …";
    if (!isComing) bring();
  });
  close.addEventListener("click", () => {
    show(card, workbench, false);
    verb.focus({ preventScroll: true });
    card.scrollIntoView({ block: "nearest" });
    readAgain(card);
  });
  if ("begun" in card.dataset) {
    const watch = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        watch.disconnect();
        if (!isTaken) bring();
      },
      { rootMargin: NEAR },
    );
    watch.observe(card);
  }
}
