// Scrolling past a slider with a finger does not move it. What a finger sets counts once it has
// moved sideways, or began on the knob, or was lifted where it came down.

const SIDEWAYS = 8; // px
const KNOB = 22; // px from the middle of the knob, as large as a finger needs

let touch;

function isOnKnob(field, x) {
  const box = field.getBoundingClientRect();
  const part = (field.value - field.min) / (field.max - field.min || 1);
  const radius = 11; // of the knob, which stays inside the strip
  return Math.abs(x - (box.left + radius + part * (box.width - 2 * radius))) <= KNOB;
}

function take() {
  const { field, asked } = touch;
  touch = undefined;
  if (asked === undefined || asked === field.value) return;
  field.value = asked;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

addEventListener(
  "pointerdown",
  (event) => {
    const field = event.target;
    touch = undefined;
    if (event.pointerType !== "touch" || !field.matches?.("input[type=range]")) return;
    if (isOnKnob(field, event.clientX)) return;
    touch = { field, before: field.value, x: event.clientX, y: event.clientY };
  },
  true,
);

addEventListener(
  "input",
  (event) => {
    if (!touch || event.target !== touch.field) return;
    touch.asked = touch.field.value;
    touch.field.value = touch.before;
    event.stopImmediatePropagation();
  },
  true,
);

addEventListener(
  "pointermove",
  (event) => {
    if (!touch) return;
    const [across, down] = [Math.abs(event.clientX - touch.x), Math.abs(event.clientY - touch.y)];
    if (across > SIDEWAYS && across > down) take();
  },
  true,
);

addEventListener("pointerup", () => touch && take(), true);
addEventListener(
  "pointercancel",
  () => {
    if (touch) touch.field.value = touch.before;
    touch = undefined;
  },
  true,
);
