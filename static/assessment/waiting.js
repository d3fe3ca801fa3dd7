// Choices that the server does not have yet, by the name of their field. They are kept in this
// browser, one entry each, so that closing it loses nothing and two tabs do not overwrite each other.

function keep(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // This browser keeps nothing: the choice still waits in the page.
  }
}

function drop(key, value) {
  try {
    if (localStorage.getItem(key) === value) localStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}

function kept(prefix) {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix));
    return keys.map((key) => [key.slice(prefix.length), localStorage.getItem(key)]);
  } catch {
    return [];
  }
}

export class Waiting {
  constructor(attempt) {
    this.prefix = `ordinal:attempt:${attempt}:`;
    this.choices = new Map(kept(this.prefix));
  }

  add(name, value) {
    this.choices.set(name, value);
    keep(this.prefix + name, value);
  }

  sent(batch) {
    for (const [name, value] of batch) {
      if (this.choices.get(name) === value) this.choices.delete(name);
      drop(this.prefix + name, value);
    }
  }
}
