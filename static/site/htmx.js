// htmx weighs more than a lesson, so it is fetched when a part of the page first needs it.

const address = document.querySelector("script[data-htmx]")?.dataset.htmx;
let coming = null;

// It looks for its elements once the page is whole, and not at all if it comes shortly before.
async function fetchHtmx() {
  if (document.readyState !== "complete") {
    await new Promise((done) => addEventListener("load", done, { once: true }));
  }
  const script = document.createElement("script");
  await new Promise((done) => {
    script.onload = script.onerror = done;
    script.src = address;
    document.head.append(script);
  });
  if (!window.htmx) coming = null; // the next one who needs it tries again
}

// `window.htmx` is there afterwards, unless it could not be fetched.
export function bringHtmx() {
  coming ??= fetchHtmx();
  return coming;
}
