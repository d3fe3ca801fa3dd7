// The sliders and choices of a figure. The number beside a slider follows at once; the picture
// follows when it is drawn.

const DIGITS = 3; // of what a logarithmic slider stands for; the server rounds alike

const CURSORS = [["position", "dimension"], ["row", "column"]]; // the row and the column of a cell
const ENDS = [["position", "positions"], ["dimension", "d_model"], ["row", "side"], ["column", "side"]];

export function grouped(text) {
  const [whole, rest] = String(text).split(".");
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, "\u202f");
  return rest === undefined ? groups : `${groups}.${rest}`;
}

function fromLog(at) {
  return String(Number((10 ** Number(at)).toPrecision(DIGITS)));
}

export class Controls {
  constructor(root, changed) {
    this.fixed = JSON.parse(root.dataset.shown); // parameters without a control keep their values
    this.controls = new Map();
    for (const box of root.querySelectorAll("[data-control]")) {
      const field = box.querySelector("input, select");
      const control = {
        field,
        kind: box.dataset.kind,
        // The text itself: a new one has Chromium ask every `:has()` above it again, 3 ms of a step.
        output: box.querySelector(".slider__value")?.firstChild,
        error: box.querySelector(".slider__error"),
      };
      this.controls.set(box.dataset.control, control);
      if (control.kind === "log") control.exact = this.fixed[box.dataset.control];
      field.addEventListener("input", () => {
        control.exact = undefined;
        changed();
      });
    }
    this.changed = changed;
    this.cursor = CURSORS.find((names) => names.every((name) => this.controls.has(name)));
  }

  // A logarithmic slider cannot stand exactly on every number; the number it was given counts
  // until it is moved.
  value(control) {
    if (control.kind !== "log") return control.field.value;
    return control.exact ?? fromLog(control.field.value);
  }

  // The values of now, with a slider standing elsewhere.
  valuesAt(name, at) {
    return { ...this.values(), [name]: this.controls.get(name).kind === "log" ? fromLog(at) : at };
  }

  values() {
    const values = { ...this.fixed };
    for (const [name, control] of this.controls) values[name] = this.value(control);
    return values;
  }

  // As values, the cursor moved into a picture that has become smaller, as the server moves it.
  inside(values = this.values()) {
    for (const [name, count] of ENDS) {
      if (!(name in values) || !(count in values)) continue;
      values[name] = String(Math.min(Number(values[name]), Number(values[count]) - 1));
    }
    return values;
  }

  // The least value of a slider with which the picture still has the outlined cell.
  least(name) {
    const cell = this.hasCursor() ? ENDS.find(([own, count]) => count === name && this.cursor.includes(own)) : null;
    return cell ? this.number(cell[0]) + 1 : -Infinity;
  }

  set(name, number) {
    const control = this.controls.get(name);
    if (!control) return;
    control.field.value = this.inRange(name, number);
    this.changed();
  }

  // Several at once, each with the text that an address has for it.
  put(values) {
    for (const [name, text] of Object.entries(values)) {
      const control = this.controls.get(name);
      if (!control) {
        if (name in this.fixed) this.fixed[name] = text; // its slider stands elsewhere in the page
        continue;
      }
      // A cell of a picture that grows by the same words: its slider ends where the old picture does.
      if (this.cursor?.includes(name)) control.field.max = Math.max(Number(control.field.max), Number(text));
      control.field.value = control.kind === "log" ? Math.log10(Number(text)) : text;
      if (control.kind === "log") control.exact = text;
    }
    this.changed();
  }

  inRange(name, number) {
    const { min, max } = this.controls.get(name).field;
    return Math.min(Math.max(number, Number(min)), Number(max));
  }

  number(name) {
    return Number(this.controls.get(name)?.field.value);
  }

  showNumbers() {
    for (const control of this.controls.values()) {
      if (!control.output) continue;
      const text = grouped(this.value(control));
      if (control.output.data !== text) control.output.data = text;
      if (control.kind === "log") control.field.setAttribute("aria-valuetext", text);
    }
  }

  // Both: a position alone is a parameter like any other.
  hasCursor() {
    return this.cursor !== undefined;
  }

  // After a picture is shown: the cursor's sliders end where the picture ends, errors are over.
  settle(answer) {
    if (this.hasCursor()) {
      const [row, column] = this.cursor;
      this.end(row, answer.rows - 1, answer.parameters);
      this.end(column, answer.columns - 1, answer.parameters);
    }
    this.clearErrors();
    this.showNumbers();
  }

  clearErrors() {
    for (const control of this.controls.values()) this.mark(control, "");
  }

  // A slider moved back to what is shown already: nothing to draw, and nothing wrong any more.
  settleErrors(problem) {
    this.clearErrors();
    problem.hidden = true;
    problem.textContent = "";
  }

  end(name, last, parameters) {
    const control = this.controls.get(name);
    const before = control.field.value;
    if (Number(control.field.max) !== last) control.field.max = last;
    if (Number(before) > last) control.field.value = parameters[name];
  }

  mark(control, message) {
    if (control.error.textContent === message) return;
    control.error.textContent = message;
    if (message) control.field.setAttribute("aria-invalid", "true");
    else control.field.removeAttribute("aria-invalid");
  }

  // Each message stands beside its slider; together they are announced once.
  showErrors(messages, problem) {
    const rest = [];
    this.clearErrors();
    for (const [name, message] of Object.entries(messages)) {
      const control = this.controls.get(name);
      if (control) this.mark(control, message);
      else rest.push(message);
    }
    problem.classList.toggle("visually-hidden", rest.length === 0);
    problem.textContent = Object.values(messages).join(" ");
    problem.hidden = false;
  }

  showProblem(problem, words, again) {
    problem.classList.remove("visually-hidden");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button button--quiet";
    button.textContent = "Try now";
    button.addEventListener("click", again);
    problem.replaceChildren(words, " ", button);
    problem.hidden = false;
  }
}
