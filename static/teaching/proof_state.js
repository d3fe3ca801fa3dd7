// While something is being proved or drawn: ask for the page now and then, and show how far it is.
// A state with `data-in-place` stands next to a form in which somebody may be typing: once it is
// another, it and the preview change, and the page stays. Other pages are loaded again, unless a form
// has unsaved text.

const EVERY_MS = 2000;

function showInPlace(page) {
  for (const id of ["proof-state", "preview"]) {
    const [part, newPart] = [document, page].map((one) => one.getElementById(id));
    if (part && newPart) part.replaceWith(document.adoptNode(newPart));
  }
}

async function look() {
  const state = document.getElementById("proof-state");
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const now = page.getElementById("proof-state");
    if (!answer.ok || !now) throw new Error("no state");
    const isOther = now.dataset.state !== state.dataset.state;
    if (isOther && "inPlace" in state.dataset) {
      showInPlace(page);
      if (!now.dataset.state.startsWith("waiting")) return;
    } else if (isOther && !document.querySelector("form[data-unsaved]")) {
      return location.reload();
    } else {
      const [words, newWords] = [state, now].map((part) => part.querySelector("[role=status]"));
      if (isOther) words.textContent = "It has ended. Save what you changed to see the result.";
      else if (words.textContent !== newWords.textContent) words.replaceChildren(...newWords.childNodes);
    }
  } catch {
    // The connection is lost: the next look may find it again.
  }
  setTimeout(look, EVERY_MS);
}

setTimeout(look, EVERY_MS);
