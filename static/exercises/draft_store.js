// What this browser keeps of one exercise's code: {code, savedAt, token, synced}, one record for all
// its tabs, and beside it the text of a tab that waits for an answer. A record says which draft of the
// server it follows (token) and whether the server has exactly this text (synced).

export class DraftStore {
  constructor(slug) {
    this.key = `ordinal:code:${slug}`;
    this.seen = this.#raw(); // what this tab last read or wrote: anything else is another tab's
  }

  read() {
    this.seen = this.#raw();
    return parse(this.seen);
  }

  // The other tabs' record if it is not the one this tab knows, else null.
  changed() {
    const now = this.#raw();
    return now === this.seen ? null : parse(now);
  }

  write(record) {
    this.seen = JSON.stringify({ savedAt: Date.now(), ...record });
    return this.#put(this.key, this.seen);
  }

  readAsked() {
    return parse(this.#raw(`${this.key}:asked`));
  }

  writeAsked(record) {
    return this.#put(`${this.key}:asked`, JSON.stringify({ savedAt: Date.now(), ...record }));
  }

  forgetAsked() {
    try {
      localStorage.removeItem(`${this.key}:asked`);
    } catch {
      // Nothing was kept there.
    }
  }

  #raw(key = this.key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  }

  #put(key, text) {
    try {
      localStorage.setItem(key, text);
      return true;
    } catch {
      return false;
    }
  }
}

function parse(text) {
  try {
    const kept = JSON.parse(text);
    return typeof kept?.code === "string" ? { token: "", synced: false, ...kept } : null;
  } catch {
    return null;
  }
}
