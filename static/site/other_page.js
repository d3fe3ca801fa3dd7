// A page of the site of which a part is shown on another one: fetched as it is, with its styles.
// Both functions throw where something does not come: the caller leads to the page itself.

const PATIENCE_MS = 15000; // the page alone is some 20 kB

export async function fetchPage(href) {
  const response = await fetch(href, { signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!response.ok) throw new Error(`${href}: ${response.status}`);
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

// The styles that the other page has and this page has not.
export function addStyles(page) {
  const there = new Set([...document.styleSheets].map((sheet) => sheet.href));
  const missing = [...page.querySelectorAll('link[rel="stylesheet"]:not([media])')].filter((link) => !there.has(link.href));
  return Promise.all(
    missing.map((link) => {
      const own = document.importNode(link);
      const arrival = new Promise((resolve, reject) => {
        own.addEventListener("load", resolve);
        own.addEventListener("error", () => {
          own.remove();
          reject(new Error(own.href));
        });
      });
      document.head.append(own);
      return arrival;
    }),
  );
}
