// The reader's own sentence: kept in this browser only, at most 24 words of 20 characters.

const KEY = "ordinal:sentence";
export const MOST_WORDS = 24;
export const MOST_LETTERS = 20;

export function split(text) {
  const words = text.split(/\s+/u).filter(Boolean);
  return words.slice(0, MOST_WORDS).map((word) => Array.from(word).slice(0, MOST_LETTERS).join(""));
}

// The places of the words in an order that reads like none of these texts, if there is one.
export function shuffled(words, ...others) {
  const known = others.map((other) => other.join(" "));
  const order = words.map((_, place) => place);
  for (let tries = 0; tries < 20; tries += 1) {
    for (let at = order.length - 1; at > 0; at -= 1) {
      const other = Math.floor(Math.random() * (at + 1));
      [order[at], order[other]] = [order[other], order[at]];
    }
    if (!known.includes(order.map((place) => words[place]).join(" "))) return order;
  }
  return order;
}

// Without the right to store anything the sentence lasts as long as the page.
export function kept() {
  try {
    return split(localStorage.getItem(KEY) ?? "");
  } catch {
    return [];
  }
}

// All of a page that show it hear of another sentence.
export const CHANGED = "ordinal:sentence";

export function keep(words) {
  dispatchEvent(new CustomEvent(CHANGED, { detail: words }));
  try {
    localStorage.setItem(KEY, words.join(" "));
  } catch (error) {
    console.info("The sentence could not be saved:", error.message);
  }
}

const PAUSE_MS = 400; // after the last key: shorter than a look up at the picture

// Take the words of a field when its reader pauses, presses Enter or leaves it.
export function whenTyped(field, take) {
  let rest = 0;
  const takeNow = () => {
    clearTimeout(rest);
    take();
  };
  field.addEventListener("input", (event) => {
    clearTimeout(rest);
    if (!event.isComposing) rest = setTimeout(take, PAUSE_MS);
  });
  field.addEventListener("compositionend", takeNow);
  field.addEventListener("change", takeNow);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    takeNow();
  });
}
