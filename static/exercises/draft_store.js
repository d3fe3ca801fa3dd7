// What this browser keeps of one exercise's code: {code, savedAt, token, synced}, one record for all
// its tabs, and beside it the text of a tab that waits for an answer. A record says which draft of the
// server it follows (token) and whether the server has exactly this text (synced).
//
// The key names the owner, so that the next person at this browser never gets the text. A newcomer has
// no owner's mark yet: what they wrote goes to their own key once they have one, never to an account.
// It names the course too, since two courses may have an exercise of one name. A text from before there
// were several courses stands without one; it is of the home course and taken over once.

export class DraftStore {
  // name: "<course>/<exercise>"; before: the exercise alone in the home course, else "".
  constructor(name, owner, hasAccount, before = "") {
    const unowned = `ordinal:code::${name}`;
    this.unowned = !owner;
    this.key = owner ? `ordinal:code:${owner}:${name}` : unowned;
    if (before) {
      this.#move(`ordinal:code::${before}`, unowned);
      if (owner) this.#move(`ordinal:code:${owner}:${before}`, this.key);
    }
    if (owner && !hasAccount) this.#takeOver(unowned);
    else this.#dropSynced(unowned);
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

  forget() {
    this.#remove(this.key);
    this.seen = null;
  }

  readAsked() {
    return parse(this.#raw(`${this.key}:asked`));
  }

  writeAsked(record) {
    return this.#put(`${this.key}:asked`, JSON.stringify({ savedAt: Date.now(), ...record }));
  }

  forgetAsked() {
    this.#remove(`${this.key}:asked`);
  }

  // A tab that was open all the while may have written under the old key after another had moved its
  // text. What the server has not got then waits as a tab's text that is asked about; while both places
  // are taken it stays where it is.
  #move(from, to) {
    for (const part of ["", ":asked"]) {
      const text = this.#raw(`${from}${part}`);
      if (text === null) continue;
      const own = this.#raw(`${to}${part}`);
      const isKept = own !== null && (parse(text)?.synced || parse(own)?.code === parse(text)?.code);
      const place = [`${to}${part}`, `${to}:asked`].find((key) => this.#raw(key) === null);
      if (isKept || (place && this.#put(place, text))) this.#remove(`${from}${part}`);
    }
  }

  #takeOver(unowned) {
    const mine = parse(this.#raw());
    const theirs = parse(this.#raw(unowned));
    if (!theirs || (mine && !mine.synced)) return;
    const isNewer = !mine || (theirs.savedAt ?? 0) > (mine.savedAt ?? 0);
    if (isNewer && !this.#put(this.key, this.#raw(unowned))) return;
    this.#remove(unowned);
    const asked = this.#raw(`${unowned}:asked`);
    if (asked !== null && this.#put(`${this.key}:asked`, asked)) this.#remove(`${unowned}:asked`);
  }

  // The server has it, with a learner who is not a newcomer any more.
  #dropSynced(unowned) {
    if (parse(this.#raw(unowned))?.synced) this.#remove(unowned);
  }

  #remove(key) {
    try {
      localStorage.removeItem(key);
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
