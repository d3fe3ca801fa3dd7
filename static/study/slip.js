// "This program has one slip" on the start page: its form is that of an exercise, and what shows a
// verdict there is loaded when a reader comes near it. Until it has come, and where it cannot, the
// browser sends the form itself and shows the verdict on a page of its own.

const section = document.querySelector("#slip");
const form = section?.querySelector("form");
let loading = null;
let isSettled = false;

function arrival(element) {
  return new Promise((resolve, reject) => {
    element.addEventListener("load", resolve, { once: true });
    element.addEventListener("error", reject, { once: true });
  });
}

async function loadParts() {
  const parts = document.importNode(section.querySelector("template").content, true);
  const arrivals = [...parts.children].map(arrival);
  document.head.append(parts);
  await Promise.all(arrivals);
  await import("../exercises/verdict.js");
}

function load() {
  loading ??= loadParts().finally(() => {
    isSettled = true;
  });
  return loading;
}

// htmx starts with the page's DOMContentLoaded, or at once where the page is complete. In between it
// would wait for an event that has passed.
const mayLoad = () => document.readyState === "complete";

function onNear() {
  if (mayLoad()) load().catch(console.warn);
}

async function onSubmit(event) {
  if (isSettled || !mayLoad()) return;
  event.preventDefault();
  await load().catch(console.warn);
  form.requestSubmit();
}

if (form) {
  form.addEventListener("submit", onSubmit);
  section.addEventListener("pointerover", onNear);
  section.addEventListener("focusin", onNear);
}
