// Every listing can be copied, and opened in the editor of the lesson's exercise. It is handed over
// in this tab's own storage: the exercise asks before anything of it takes a draft's place.

const SCRATCH = "ordinal:scratch";

function codeOf(listing) {
  return `${listing.querySelector("pre.code:not(.code--output)").textContent.trimEnd()}\n`;
}

async function copy(listing, button) {
  const told = listing.querySelector(".listing__told");
  try {
    await navigator.clipboard.writeText(codeOf(listing));
    told.textContent = "Copied.";
  } catch {
    getSelection().selectAllChildren(listing.querySelector("pre.code"));
    told.textContent = "Selected: copy it with your keyboard.";
  }
  button.focus();
}

function openIn(listing, address) {
  const title = listing.querySelector(".listing__title").textContent;
  const scratch = { path: new URL(address, location.href).pathname, title, code: codeOf(listing) };
  try {
    sessionStorage.setItem(SCRATCH, JSON.stringify(scratch));
  } catch {
    listing.querySelector(".listing__told").textContent = "This browser keeps nothing: copy it instead.";
    return;
  }
  location.assign(`${address}#id_code`);
}

for (const listing of document.querySelectorAll(".listing")) {
  const tools = listing.querySelector(".listing__tools");
  const [copies, opens] = ["copy", "open"].map((name) => tools.querySelector(`[data-do="${name}"]`));
  copies.addEventListener("click", () => copy(listing, copies));
  opens?.addEventListener("click", () => openIn(listing, opens.dataset.address));
  tools.hidden = false;
}
