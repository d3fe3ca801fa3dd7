// Cards of the glossary at the uses of its terms: on hover and focus, by a click or a tap, gone with
// Escape. A card stays while the pointer is on it, and has the link. Without this script a term is a
// link to the glossary, and so it is with a key held down that opens a tab.

const LEAVE = 200; // ms from the term to its card
const PAD = 8;
let open = null; // { term, card }
let leaving = 0;
let touched = false; // the press that a click follows came from a finger

const cardOf = (term) => document.getElementById(`card-${term.dataset.term}`);

function show(term) {
  clearTimeout(leaving);
  if (open?.term === term) return;
  close();
  const card = cardOf(term);
  if (!card) return;
  document.body.append(card); // above everything, and no part of a scrolling table
  card.hidden = false;
  const at = [...term.getClientRects()].at(-1);
  const room = document.documentElement.clientWidth;
  const left = Math.max(PAD, Math.min(at.left, room - card.offsetWidth - PAD));
  const below = at.bottom + card.offsetHeight + PAD <= innerHeight || at.top < card.offsetHeight + PAD;
  const top = below ? at.bottom + 2 : at.top - card.offsetHeight - 2;
  card.style.left = `${left + scrollX}px`;
  card.style.top = `${top + scrollY}px`;
  term.dataset.open = "";
  open = { term, card };
}

function close() {
  clearTimeout(leaving);
  if (!open) return;
  const { term, card } = open;
  open = null;
  if (card.contains(document.activeElement)) term.focus({ preventScroll: true });
  card.hidden = true;
  delete term.dataset.open;
  close.last = term;
}

function leave() {
  clearTimeout(leaving);
  leaving = setTimeout(() => {
    if (open && document.activeElement !== open.term && !open.card.contains(document.activeElement)) close();
  }, LEAVE);
}

const termAt = (event) => event.target.closest?.(".term");
const ours = (target) => target?.closest?.(".term, .term-card");

document.addEventListener("pointerdown", (event) => {
  touched = event.pointerType === "touch";
  if (!ours(event.target)) close();
});
document.addEventListener("pointerover", (event) => {
  if (event.pointerType === "touch") return;
  const term = termAt(event);
  if (term) show(term);
  else if (ours(event.target)) clearTimeout(leaving);
  else if (open) leave();
});
document.addEventListener("focusin", (event) => {
  const term = termAt(event);
  if (term && !touched) show(term);
  else if (open && !ours(event.target)) close();
});
document.addEventListener("click", (event) => {
  const term = termAt(event);
  const opensTab = event.ctrlKey || event.metaKey || event.shiftKey;
  if (!term || opensTab || event.detail === 0) return; // Enter on a term goes to the glossary
  event.preventDefault(); // nobody who reads is led away by a press
  if (touched && open?.term === term) close();
  else show(term);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && open) close();
});
addEventListener("resize", close);
