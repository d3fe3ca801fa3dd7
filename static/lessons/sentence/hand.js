// A word in the reader's hand: the pointer takes it along, keys move it by one place, and what makes
// room for it travels. Positions are counted in places; the pictures turn them into px.

const REST_MS = 80; // in which a word goes all but 1/e of the way that is left
const NEAR = 0.004;
const TAKEN = 4; // px that a pointer moves before it holds a word, so that a tap moves nothing
const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Hand {
  // `picture` shows words off their places; `move(token, slot)` gives a word another place and returns
  // how far each word is from its new one; `end(order)` is told the order from before.
  constructor(root, { picture, order, move, end }) {
    Object.assign(this, { root, picture, order, move, end, offsets: {}, held: null });
    root.addEventListener("pointerdown", (event) => this.take(event));
    root.addEventListener("pointermove", (event) => this.carry(event));
    for (const name of ["pointerup", "pointercancel"]) root.addEventListener(name, (event) => this.drop(event));
    root.addEventListener("keydown", (event) => this.press(event));
    // A column takes no focus, so its key does not come to the figure.
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.held?.isMoving && this.giveBack());
  }

  take(event) {
    const tile = event.target.closest("[data-token]");
    if (!tile || event.button !== 0 || this.held) return;
    const token = Number(tile.dataset.token);
    const { clientX, clientY, pointerId } = event;
    this.held = { token, axis: tile.dataset.axis, pointerId, at: { x: clientX, y: clientY }, isMoving: false };
    this.held.order = this.order();
    this.held.slot = this.held.order.indexOf(token);
    if (tile.tabIndex >= 0) tile.focus({ preventScroll: true }); // Safari does not do it
    else event.preventDefault(); // no text is selected
  }

  carry(event) {
    const { held } = this;
    if (!held || event.pointerId !== held.pointerId) return;
    const way = (held.axis === "x" ? event.clientX : event.clientY) - held.at[held.axis];
    if (!held.isMoving) {
      if (!event.buttons) this.held = null; // released outside of the figure, which did not hear it
      if (!this.held || Math.abs(way) < TAKEN) return;
      this.grasp(held);
    }
    const most = this.order().length - 1;
    const wide = held.slot + way / held.unit;
    const at = Math.min(Math.max(wide, -0.3), most + 0.3);
    const slot = Math.min(Math.max(Math.round(at), 0), most);
    if (slot !== this.order().indexOf(held.token)) this.rearrange(held.token, slot);
    this.offsets[held.token] = at - this.order().indexOf(held.token);
    this.run();
  }

  grasp(held) {
    const { width, height } = this.picture.measure();
    held.unit = held.axis === "x" ? width : height;
    held.isMoving = true;
    this.root.setPointerCapture(held.pointerId);
    this.root.classList.add("sentence--moving");
    this.picture.hold(held.token);
  }

  drop(event) {
    const { held } = this;
    if (!held || event.pointerId !== held.pointerId) return;
    this.held = null;
    if (!held.isMoving) return;
    this.root.classList.remove("sentence--moving");
    this.picture.hold(null);
    this.end(held.order);
    this.run();
  }

  press(event) {
    const tile = event.target.closest("button[data-token]");
    if (!tile || event.ctrlKey || event.metaKey || event.altKey || this.held?.isMoving) return undefined;
    const order = this.order();
    const [token, last] = [Number(tile.dataset.token), order.length - 1];
    const slot = order.indexOf(token);
    const next = { Home: 0, End: last }[event.key] ?? slot + (STEPS[event.key] ?? NaN);
    if (Number.isNaN(next)) return undefined;
    event.preventDefault();
    if (next < 0 || next > last || next === slot) return undefined;
    this.picture.measure();
    this.rearrange(token, next);
    this.run();
    return this.end(order);
  }

  giveBack() {
    const { held } = this;
    const { pointerId } = held;
    this.travel(held.order, held.token);
    held.order = this.order();
    this.drop({ pointerId });
  }

  rearrange(token, slot) {
    const order = this.order().filter((other) => other !== token);
    order.splice(slot, 0, token);
    this.change(order, token);
  }

  // All words go to the places of another order.
  travel(order, pinned) {
    this.picture.measure();
    this.change(order, pinned);
    this.run();
  }

  change(order, pinned) {
    const before = this.order();
    this.move(order, pinned);
    order.forEach((token, slot) => {
      this.offsets[token] = (this.offsets[token] ?? 0) + before.indexOf(token) - slot;
    });
  }

  // Another sentence: nothing of the last one travels.
  reset() {
    this.held = null;
    this.offsets = {};
    this.root.classList.remove("sentence--moving");
  }

  run() {
    if (this.frame) return;
    let last = performance.now();
    const step = (now) => {
      const share = still.matches ? 0 : Math.exp(-(now - last) / REST_MS);
      last = now;
      for (const [token, offset] of Object.entries(this.offsets)) {
        if (Number(token) === this.held?.token && this.held.isMoving) continue;
        this.offsets[token] = Math.abs(offset * share) < NEAR ? 0 : offset * share;
      }
      this.picture.shift(this.offsets);
      const isMoving = Object.entries(this.offsets).some(([token, offset]) => offset && Number(token) !== this.held?.token);
      this.frame = isMoving ? requestAnimationFrame(step) : null;
    };
    this.frame = requestAnimationFrame(step);
    this.picture.shift(this.offsets);
  }
}
