// Without a connection a page says so, and what would lead to the browser's own error page waits:
// the page and what was typed into it stay. What is sent by a script says so itself, beside its button.

import { reachable } from "./reachable.js";

const line = document.querySelector("#offline");
const GONE = "You are offline. This page will stay open, with what you have typed in it.";
const WAITS = "You are offline. Try again when the connection is back; nothing on this page is lost.";

// What else stands at the foot of the window stands on the line (static/css/frame.css).
new ResizeObserver(() => {
  document.documentElement.style.setProperty("--foot", `${line.offsetHeight}px`);
}).observe(line);

let sure = false; // that what is sent again now arrives

function leads(event, link) {
  if (!link || link.target === "_blank" || link.hasAttribute("download")) return false;
  if (event.ctrlKey || event.metaKey || event.shiftKey) return false; // into another tab
  const there = new URL(link.href, location.href);
  const samePage = there.pathname === location.pathname && there.search === location.search;
  return there.origin === location.origin && !(samePage && there.hash);
}

async function hold(event, go) {
  if (sure || navigator.onLine || event.defaultPrevented) return;
  event.preventDefault();
  if (await reachable()) go();
  else line.textContent = WAITS;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (leads(event, link)) hold(event, () => location.assign(link.href));
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method === "dialog") return;
  hold(event, () => {
    sure = true;
    try {
      form.requestSubmit(event.submitter);
    } finally {
      sure = false;
    }
  });
});

addEventListener("offline", async () => {
  if (!(await reachable()) && !navigator.onLine) line.textContent = GONE;
});

for (const name of ["online", "pageshow"]) {
  addEventListener(name, () => {
    if (navigator.onLine) line.textContent = "";
  });
}
