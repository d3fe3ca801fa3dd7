// Counts an attempt's time down, warns at five minutes and at one, and submits at the end. The server
// says how much is left, so that a wrong clock of the computer does no harm; it also ends the attempt
// by itself, so that a closed page loses nothing. Without a connection this page waits for it.

const WARNINGS = [300, 60]; // seconds
const TICK_MS = 250;

const place = document.querySelector("#time");
const words = place.querySelector("[data-left]");
const says = document.querySelector("#time-says");
const form = document.querySelector("#attempt");

let endsAt = 0;
let told = Infinity;
let handedIn = false;

function set(seconds) {
  endsAt = Date.now() + seconds * 1000;
}

function left() {
  return Math.max(0, Math.ceil((endsAt - Date.now()) / 1000));
}

function inWords(seconds) {
  if (seconds >= 2 * 86400) return `${Math.round(seconds / 86400)} days left`;
  if (seconds >= 2 * 3600) return `${Math.round(seconds / 3600)} hours left`;
  if (seconds >= 120) return `${Math.round(seconds / 60)} minutes left`;
  if (seconds > 0) return `${seconds} second${seconds === 1 ? "" : "s"} left`;
  return "Time is up";
}

function warn(seconds) {
  const warning = WARNINGS.find((at) => seconds <= at && told > at && seconds > at - 30);
  if (!warning) return;
  told = warning;
  place.classList.add("attempt__time--short");
  says.textContent = warning === 60 ? "One minute left." : `${warning / 60} minutes left.`;
}

function handIn() {
  if (handedIn) return;
  handedIn = true;
  says.textContent = "Time is up. Your answers are being submitted.";
  const send = () => form.requestSubmit(document.querySelector("#hand-in"));
  if (navigator.onLine) send();
  else window.addEventListener("online", send, { once: true });
}

function tick() {
  const seconds = left();
  const text = inWords(seconds);
  if (words.textContent !== text) words.textContent = text;
  warn(seconds);
  if (seconds === 0) handIn();
}

set(Number(place.dataset.seconds));
form.addEventListener("timeleft", ({ detail }) => set(detail));
setInterval(tick, TICK_MS);
tick();
