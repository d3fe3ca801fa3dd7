// The page's address names what the figures show, so that a link shows the same.

const DELAY_MS = 300; // browsers refuse more than about 100 changes in 30 seconds
const pending = new Map();
let timer;

function write() {
  clearTimeout(timer);
  timer = undefined;
  if (!pending.size) return;
  const address = new URL(location.href);
  for (const [key, value] of pending) {
    if (value === null) address.searchParams.delete(key);
    else address.searchParams.set(key, value);
  }
  pending.clear();
  history.replaceState(history.state, "", address);
}

addEventListener("pagehide", write);
addEventListener("figure:write", write); // somebody is about to read the address

export class Address {
  constructor(figure, initial) {
    this.figure = figure;
    this.initial = initial;
  }

  // Only what differs from the page as it was written stands in the address.
  remember(parameters) {
    for (const [name, value] of Object.entries(parameters)) {
      const key = `${this.figure}.${name}`;
      pending.set(key, value === this.initial[name] ? null : value);
      pending.set(`${key}.log10`, null); // from a redraw without this script
    }
    clearTimeout(timer);
    timer = setTimeout(write, DELAY_MS);
  }
}
