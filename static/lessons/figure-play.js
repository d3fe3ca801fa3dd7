// A play button beside the sliders that tell a story in time. It pauses when the figure leaves the
// screen or the page is hidden. Where motion is not wanted it goes one step at a time.
//
// The page draws a step at once, but the words of it, such as the value of the outlined cell and its
// formula, are the server's. They are asked for two steps ahead, so they change together with the
// picture; where they come later, the picture does not wait for them.

const STEP_MS = 150;
const STEPS = 60; // at most, from one end to the other
const AHEAD = 2; // steps, 300 ms
const MOST_ANSWERS = 2 * STEPS; // the second round asks for nothing
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

// The answers to what was asked for ahead, by query: as promises, and those that have come.
class Captions {
  constructor(ask) {
    this.ask = ask;
    this.answers = new Map();
    this.requests = new Map();
  }

  // The answer that is there, for the frame of the picture.
  of(query) {
    return this.answers.get(query);
  }

  // The answer as a promise, which may be under way; undefined where nobody has asked for it.
  request(query) {
    return this.requests.get(query);
  }

  fetch(query) {
    if (this.requests.has(query)) return;
    for (const oldest of this.requests.keys()) {
      if (this.requests.size < MOST_ANSWERS) break;
      this.requests.delete(oldest);
      this.answers.delete(oldest);
    }
    const request = this.ask(query);
    this.requests.set(query, request);
    request.then(
      (answer) => this.requests.get(query) === request && this.answers.set(query, answer),
      () => this.requests.delete(query), // the step itself says what is wrong
    );
  }
}

class Play {
  constructor(root, box, controls, foresee) {
    Object.assign(this, { root, controls, foresee });
    this.field = box.querySelector("input[type=range]");
    this.name = box.dataset.control;
    this.button = document.createElement("button");
    this.button.type = "button";
    this.button.className = "slider__play";
    this.button.addEventListener("click", () => this.press());
    box.querySelector(".slider__name").after(this.button);
    this.label();
    STILL.addEventListener("change", () => this.stop());
    document.addEventListener("visibilitychange", () => document.hidden && this.stop());
    // A hand on the figure takes over.
    const leave = ({ target }) => {
      if (this.timer && target !== this.button) this.stop();
    };
    root.addEventListener("pointerdown", leave);
    root.addEventListener("keydown", leave);
    new IntersectionObserver(([seen]) => seen.isIntersecting || this.stop()).observe(root);
  }

  label() {
    const word = this.timer ? "Pause" : STILL.matches ? "Step" : "Play";
    this.button.textContent = word;
    this.button.setAttribute("aria-label", `${word} ${this.name}`);
  }

  press() {
    if (this.timer) return this.stop();
    if (STILL.matches) return this.step();
    this.timer = setInterval(() => this.step(), STEP_MS);
    this.label();
    this.step();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
    this.label();
  }

  step() {
    if (!this.root.isConnected) return this.stop();
    this.field.value = this.after(this.field.value);
    this.field.dispatchEvent(new Event("input", { bubbles: true }));
    let at = this.field.value;
    for (let count = 0; count < AHEAD; count += 1) {
      at = this.after(at);
      this.foresee(this.controls.valuesAt(this.name, at));
    }
  }

  // What the slider stands on after a step. It begins again where the outlined cell still is.
  after(at) {
    const { min, max, step } = this.field;
    const [low, high, least] = [Number(min), Number(max), Number(step) || 1];
    const stride = Math.max(1, Math.ceil((high - low) / least / STEPS)) * least;
    const first = low + Math.ceil(Math.max(0, this.controls.least(this.name) - low) / least) * least;
    const next = Number(at) + stride;
    const probe = this.field.cloneNode(); // which rounds as the slider does
    probe.value = next > high + least / 2 ? first : next;
    return probe.value;
  }
}

// `fields` is the selector of the sliders that get a button; `figure` knows its `controls`, the `query`
// of a picture of the page and how to `ask` for its words. Returns these.
export function addPlay(root, fields, { controls, query, ask }) {
  const captions = new Captions(ask);
  const foresee = (values) => {
    const step = query(values);
    if (step) captions.fetch(step);
  };
  for (const field of root.querySelectorAll(fields)) new Play(root, field.closest("[data-control]"), controls, foresee);
  return captions;
}
