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
    told.textContent = "The code is selected: copy it with your keyboard.";
  }
  button.focus();
}

function openIn(listing, address) {
  const title = listing.querySelector(".listing__title").textContent;
  const scratch = { path: new URL(address, location.href).pathname, title, code: codeOf(listing) };
  try {
    sessionStorage.setItem(SCRATCH, JSON.stringify(scratch));
  } catch {
    listing.querySelector(".listing__told").textContent = "This browser cannot store the code: copy it instead.";
    return;
  }
  location.assign(`${address}#id_code`);
}

// Where a listing is all that a screen has to do, its reader guesses what it prints, and then looks.
// A step that was read has nothing to guess any more.
function cover(listing) {
  const screen = listing.closest("[data-screens] > *");
  const output = listing.querySelector(".code--output");
  if (!screen || !output || screen.closest("[data-read]")) return;
  if (screen.querySelector("[data-inline-question], [data-predict], .live, .sentence, .exercise-card")) return;
  const parts = [listing.querySelector(".listing__label"), output];
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button button--quiet listing__guess";
  button.textContent = listing.dataset.guess;
  const show = () => {
    for (const part of parts) part.removeAttribute("hidden");
    button.remove();
  };
  button.addEventListener("click", () => {
    show();
    output.focus({ preventScroll: true });
  });
  for (const part of parts) {
    part.setAttribute("hidden", "until-found"); // the browser's own search opens it
    part.addEventListener("beforematch", show);
  }
  addEventListener("beforeprint", show);
  output.after(button);
}

for (const listing of document.querySelectorAll(".listing")) {
  cover(listing);
  const tools = listing.querySelector(".listing__tools");
  const [copies, opens] = ["copy", "open"].map((name) => tools.querySelector(`[data-do="${name}"]`));
  copies.addEventListener("click", () => copy(listing, copies));
  opens?.addEventListener("click", () => openIn(listing, opens.dataset.address));
  tools.hidden = false;
}
