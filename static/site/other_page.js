// A page of the site of which a part is shown on another one: fetched as it is, with its styles.

export async function fetchPage(href) {
  const response = await fetch(href);
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
      const arrival = new Promise((resolve) => ["load", "error"].forEach((name) => own.addEventListener(name, resolve)));
      document.head.append(own);
      return arrival;
    }),
  );
}
