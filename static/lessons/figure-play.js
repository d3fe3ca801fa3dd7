// A play button beside the sliders that tell a story in time. It pauses when the figure leaves the
// screen or the page is hidden. Where motion is not wanted it goes one step at a time.

const STEP_MS = 150;
const STEPS = 60; // at most, from one end to the other
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

class Play {
  constructor(root, box) {
    this.root = root;
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
    const { min, max, step } = this.field;
    const [low, high, least] = [Number(min), Number(max), Number(step) || 1];
    const stride = Math.max(1, Math.ceil((high - low) / least / STEPS)) * least;
    const next = Number(this.field.value) + stride;
    this.field.value = next > high + least / 2 ? low : next;
    this.field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

// `fields` is the selector of the sliders that get one.
export function addPlay(root, fields) {
  for (const field of root.querySelectorAll(fields)) new Play(root, field.closest("[data-control]"));
}
