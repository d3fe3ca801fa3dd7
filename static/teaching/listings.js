// While listings are being run: ask for the page now and then, and show what came of them. What is
// typed stays: only the part about listings and the faults before Publish are exchanged.

const EVERY_MS = 1000;
const PARTS = ["listings", "missing"];

async function look() {
  try {
    const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!answer.ok || !page.getElementById("listings")) throw new Error("no listings");
    for (const id of PARTS) {
      const [old, now] = [document, page].map((part) => part.getElementById(id));
      if (old.innerHTML === now.innerHTML || old.contains(document.activeElement)) continue;
      old.replaceWith(document.adoptNode(now));
    }
  } catch {
    // The connection is lost: the next look may find it again.
  }
  if (document.querySelector("#listings[data-waiting]")) setTimeout(look, EVERY_MS);
}

if (document.querySelector("#listings[data-waiting]")) setTimeout(look, EVERY_MS);
