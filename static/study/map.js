// The concept map: drag, pinch or Ctrl and scroll; buttons and keys for all of it; details over it.
// A wide window has the whole map, as large as fits below the header. Where its letters would be too
// small to read, and on a phone, the stage has a part of it, which moves.
// Without this script the map scrolls in its frame and every node is a link to its details.

import { select, zoom, zoomIdentity } from "../vendor/d3-zoom-3.0.0/d3-zoom.js";
import { nearest } from "./map-directions.js";

const map = document.querySelector("#map");
const stage = map.querySelector(".map__stage");
const drawing = map.querySelector(".map__drawing");
const all = map.querySelector(".map__all");
const details = map.querySelector(".map__details");
const nodes = [...map.querySelectorAll("a.node")];
const bySlug = new Map(nodes.map((node) => [node.dataset.concept, node]));
const size = { width: drawing.viewBox.baseVal.width, height: drawing.viewBox.baseVal.height };
const READABLE = 0.75; // of the drawing's own size: its letters are then 12 pixels high, never less
const PART = 0.8; // where the stage has a part of the map
const largest = () => Math.max(1.25, innerHeight / 900); // of a whole map: a large window is looked at from farther
const wide = matchMedia("(min-width: 60rem)");
const paper = matchMedia("print");
const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;

const middles = new Map(
  nodes.map((node) => {
    const box = node.querySelector("rect");
    const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(box.getAttribute(name)));
    return [node, { x: x + width / 2, y: y + height / 2 }];
  }),
);

const behaviour = zoom()
  .extent(() => [[0, 0], [room(), stage.clientHeight]])
  .translateExtent([[0, 0], [size.width, size.height]])
  .scaleExtent([READABLE, 3])
  // One finger or the wheel scrolls the page; two fingers, or Ctrl and the wheel, zoom.
  .filter((event) => {
    if (event.touches) return event.touches.length > 1;
    return !event.button && (event.type === "wheel") === (event.ctrlKey || event.metaKey);
  })
  .on("zoom", ({ transform }) => all.setAttribute("transform", transform));
const picture = select(drawing);

// The px of the stage that details leave free.
function room() {
  if (details.hidden || !wide.matches) return stage.clientWidth;
  return details.getBoundingClientRect().left - stage.getBoundingClientRect().left;
}

let current = nodes[0]; // the one Tab comes to

function begin() {
  map.classList.add("map--live");
  drawing.removeAttribute("viewBox");
  drawing.removeAttribute("width");
  drawing.removeAttribute("height");
  picture.call(behaviour).on("dblclick.zoom", null);
  const opened = nodes.find((node) => node.getAttribute("aria-current"));
  const place = opened ?? map.querySelector(".node--here") ?? firstUnfinished();
  if (opened || !fits()) goTo(place, fits() ? wholeScale() : PART, false);
  else showWhole(false);
  makeCurrent(place);
  markLines(opened?.dataset.concept);
}

// Paper has the whole map, whatever part of it the stage shows.
addEventListener("beforeprint", () => {
  drawing.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
  all.removeAttribute("transform");
});
addEventListener("afterprint", () => {
  drawing.removeAttribute("viewBox");
  all.setAttribute("transform", String(drawing.__zoom));
});

function wholeScale() {
  const whole = Math.min(largest(), stage.clientWidth / size.width, stage.clientHeight / size.height);
  return Math.max(READABLE, whole);
}

// Letters are never smaller than one can read: then a small stage has no room for the whole map.
function fits() {
  return stage.clientWidth >= size.width * READABLE && stage.clientHeight >= size.height * READABLE;
}

function firstUnfinished() {
  return nodes.find((node) => !node.classList.contains("node--mastered")) ?? nodes[0];
}

// The place nearest to the wished one at which the stage shows as much of the map as it can.
function held(wished) {
  const along = (at, stageSize, mapSize) => {
    const shown = mapSize * wished.k;
    return shown <= stageSize ? (stageSize - shown) / 2 : Math.min(0, Math.max(at, stageSize - shown));
  };
  const x = along(wished.x, room(), size.width);
  const y = along(wished.y, stage.clientHeight, size.height);
  return zoomIdentity.translate(x, y).scale(wished.k);
}

function move(wished, smooth = true) {
  const transform = held(wished);
  if (smooth && !calm) glide(transform);
  else picture.call(behaviour.transform, transform);
}

let gliding = 0;
function glide(target) {
  cancelAnimationFrame(gliding);
  const from = drawing.__zoom;
  const began = performance.now();
  const frame = (now) => {
    const share = Math.min(1, (now - began) / 180);
    const eased = 1 - (1 - share) ** 3;
    const k = from.k + (target.k - from.k) * eased;
    const x = from.x + (target.x - from.x) * eased;
    const y = from.y + (target.y - from.y) * eased;
    picture.call(behaviour.transform, zoomIdentity.translate(x, y).scale(k));
    if (share < 1) gliding = requestAnimationFrame(frame);
  };
  gliding = requestAnimationFrame(frame);
}

function showWhole(smooth = true) {
  move(zoomIdentity.scale(wholeScale()), smooth);
}

function goTo(node, k = drawing.__zoom.k, smooth = true) {
  const { x, y } = middles.get(node);
  move(zoomIdentity.translate(room() / 2 - x * k, stage.clientHeight / 2 - y * k).scale(k), smooth);
}

function bringIntoView(node) {
  const box = node.querySelector("rect").getBoundingClientRect();
  const frame = stage.getBoundingClientRect();
  const seen =
    box.left >= frame.left && box.right <= frame.left + room() && box.top >= frame.top && box.bottom <= frame.bottom;
  if (seen && drawing.__zoom.k >= READABLE / 2) return;
  goTo(node, Math.max(drawing.__zoom.k, READABLE));
  stage.scrollIntoView({ block: "nearest" }); // the browser scrolled to where the node stood before
}

function scaleBy(factor) {
  cancelAnimationFrame(gliding);
  picture.call(behaviour.scaleBy, factor);
}

function makeCurrent(node) {
  for (const one of nodes) one.tabIndex = one === node ? 0 : -1;
  current = node;
}

function markLines(slug) {
  for (const line of map.querySelectorAll(".map__line")) {
    line.classList.toggle("map__line--near", line.dataset.from === slug || line.dataset.to === slug);
  }
}

function open(slug, { focus }) {
  const node = bySlug.get(slug);
  if (!node) return;
  for (const article of map.querySelectorAll(".concept")) article.hidden = article.id !== slug;
  details.hidden = false;
  for (const one of nodes) one.toggleAttribute("aria-current", false);
  node.setAttribute("aria-current", "true");
  markLines(slug);
  makeCurrent(node);
  move(drawing.__zoom); // beside the details, if there is room
  bringIntoView(node);
  history.replaceState(null, "", `?focus=${slug}`);
  const heading = document.getElementById(`${slug}-title`);
  document.title = `${heading.textContent} · Concept map · Ordinal`;
  if (focus) heading.focus({ preventScroll: true });
  // On a narrow screen the details stand above or below the stage: they come into sight.
  const box = heading.closest("article").getBoundingClientRect();
  if (box.top < 0 || box.top > innerHeight * 0.6) heading.closest("article").scrollIntoView({ behavior: calm ? "auto" : "smooth", block: "start" });
}

function shut() {
  details.hidden = true;
  for (const one of nodes) one.toggleAttribute("aria-current", false);
  markLines();
  move(drawing.__zoom);
  history.replaceState(null, "", location.pathname);
  document.title = "Concept map · Ordinal";
  current.focus({ preventScroll: true });
}

const ARROWS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest(".map__head")) return;
  const inDetails = event.target.closest(".map__details");
  if (event.key === "Escape") {
    if (details.hidden) showWhole();
    else shut();
  } else if (inDetails) {
    return;
  } else if (ARROWS[event.key]) {
    const next = nearest(current, ARROWS[event.key], middles);
    if (next) next.focus();
  } else if (event.key === "+" || event.key === "=") scaleBy(1.25);
  else if (event.key === "-") scaleBy(0.8);
  else if (event.key === "0") showWhole();
  else return;
  event.preventDefault();
}

map.addEventListener("keydown", onKey);
map.addEventListener("click", (event) => {
  const link = event.target.closest("[data-concept], .map__close");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (link.classList.contains("map__close")) return shut();
  open(link.dataset.concept, { focus: event.detail === 0 || !link.classList.contains("node") });
});
for (const node of nodes) {
  node.addEventListener("focus", () => {
    makeCurrent(node);
    if (node.matches(":focus-visible")) bringIntoView(node);
  });
}
const tools = { closer: () => scaleBy(1.25), farther: () => scaleBy(0.8), whole: () => showWhole() };
for (const button of map.querySelectorAll("button[data-map]")) {
  button.addEventListener("click", () => tools[button.dataset.map]());
}

const wholeButton = map.querySelector('[data-map="whole"]');
function nameWhole() {
  wholeButton.textContent = fits() ? "Whole map" : "Top of the map";
}

begin();
let shown = `${stage.clientWidth} ${stage.clientHeight}`;
let whole = wholeScale(); // of the stage as it was
new ResizeObserver(() => {
  if (paper.matches) return; // what the window shows comes back after it
  nameWhole();
  const now = `${stage.clientWidth} ${stage.clientHeight}`;
  if (now === shown) return;
  shown = now;
  // A phone's toolbar comes and goes: a reader who has zoomed in keeps their place.
  const isZoomed = [whole, PART].every((scale) => Math.abs(drawing.__zoom.k - scale) > 0.001);
  whole = wholeScale();
  if (fits() && !isZoomed) showWhole(false);
  else move(drawing.__zoom, false);
}).observe(stage);
