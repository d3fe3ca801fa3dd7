// While something is being proved: ask for the page now and then, and show how far it is.

const EVERY_MS = 2000;

async function look() {
  const state = document.getElementById("proof-state");
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const now = page.getElementById("proof-state");
    if (!answer.ok || !now) throw new Error("no state");
    if (now.dataset.state !== state.dataset.state) return location.reload();
    const [words, newWords] = [state, now].map((part) => part.querySelector("[role=status]"));
    if (words.textContent !== newWords.textContent) words.replaceChildren(...newWords.childNodes);
  } catch {
    // The connection is lost: the next look may find it again.
  }
  setTimeout(look, EVERY_MS);
}

setTimeout(look, EVERY_MS);
