// Without a connection a page says so, and what would lead to the browser's own error page waits:
// the page and what was typed into it stay. What is sent by a script says so itself, beside its button.

const line = document.querySelector("#offline");
const GONE = "No connection. This page stays as it is, and what you typed with it.";
const WAITS = "No connection. This opens when it is back; nothing on this page is lost.";

function leads(link) {
  if (!link || link.target === "_blank" || link.hasAttribute("download")) return false;
  const there = new URL(link.href, location.href);
  const samePage = there.pathname === location.pathname && there.search === location.search;
  return there.origin === location.origin && !(samePage && there.hash);
}

function hold(event, isHeld) {
  if (navigator.onLine || event.defaultPrevented || !isHeld) return;
  event.preventDefault();
  line.textContent = WAITS;
}

document.addEventListener("click", (event) => hold(event, leads(event.target.closest?.("a[href]"))));
document.addEventListener("submit", (event) => hold(event, event.target.method !== "dialog"));
addEventListener("offline", () => {
  line.textContent = GONE;
});
addEventListener("online", () => {
  line.textContent = "";
});
