// A slider of several pictures moves them all, and links take along the sliders as they stand now:
// the figures keep them in the address. Shift-click puts an encoding beside the one shown.

import { Controls } from "./figure-controls.js";
import { addPlay } from "./figure-play.js";
import { figureOf } from "./figure.js";

const bar = document.querySelector("[data-shared]");

if (bar) {
  const controls = new Controls(bar, () => {
    controls.showNumbers();
    const values = controls.values();
    for (const root of document.querySelectorAll("[data-figure]")) figureOf(root).setParameters(values);
  });
  bar.addEventListener("submit", (event) => event.preventDefault());
  bar.querySelector("[type=submit]").remove(); // the way without this script
  addPlay(bar, '[data-control="base"] [type=range]', { controls, query: () => null }); // each figure asks for its words
}

// The plots of two encodings stay level, whatever stands above each of them.
const pair = document.querySelector("[data-pair]");

if (pair) {
  const figures = [...pair.querySelectorAll("[data-figure]")];
  const level = () => {
    const tops = figures.map((root) => figureOf(root).geometry.plot[1]);
    figures.forEach((root, at) => {
      const lift = 1 + Math.round(Math.max(...tops) - tops[at]);
      root.querySelector("[data-lift]").setAttribute("viewBox", `0 0 360 ${lift}`);
    });
  };
  pair.addEventListener("figure:shown", level, true); // it does not bubble
}

function pointTo(link, change) {
  dispatchEvent(new Event("figure:write")); // what the figures have not written yet
  link.search = `${location.search}&${change}`;
}

// Before any way of following a link: a click, a middle click, Enter, the menu of a right click.
for (const name of ["pointerdown", "keydown"]) {
  addEventListener(name, ({ target }) => {
    const link = target.closest?.("[data-change]");
    if (link) pointTo(link, link.dataset.change);
  });
}

addEventListener("click", (event) => {
  const link = event.shiftKey && event.target.closest("[data-shift]");
  if (!link) return;
  event.preventDefault(); // a new window
  const beside = link.cloneNode();
  pointTo(beside, link.dataset.shift);
  location.assign(beside.href);
});

// The encodings shown are in sight of the rail, which scrolls by itself.
const rail = document.querySelector("[data-rail]");
const shown = rail.querySelector("[aria-current]");
const [frame, box] = [rail.getBoundingClientRect(), shown.getBoundingClientRect()];
rail.scrollTo(
  rail.scrollLeft + box.left - frame.left - (frame.width - box.width) / 2,
  rail.scrollTop + box.top - frame.top - (frame.height - box.height) / 2,
);
