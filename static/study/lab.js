// A Run that waits: its result comes into its place, and the rest of the page stays as it is, with the
// caret, the undo history and the scroll position. Without this script, a link loads the page again.
//
// One run brings the sizes around the hand, so a drag draws what is here. Beyond them the code of this
// Run is sent again: one run is under way at a time, the newest wish wins, and the nearest size that
// has come is shown meanwhile.

import { AFTER_FAILURE_MS, waitFor } from "../exercises/waiting.js";
import { figureOf, liven } from "../lessons/figure.js";
import { tell } from "../site/clock.js";
import { renewToken } from "../site/csrf_token.js";

const EVERY_MS = 1050; // code may run once a second
const LONGEST_WAIT_S = 5; // of a refused run that is sent again by itself
const QUIET_MS = 2000; // before the page says why a run takes long
const LONGEST_RUN_MS = 15_000; // then what waits takes the place of the pictures, and asks by itself
const result = document.querySelector("#result");
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

class Refused extends Error {}

class Hand {
  constructor(root) {
    this.form = document.querySelector("#code-form");
    this.code = document.querySelector("#id_code").defaultValue;
    this.body = result.querySelector("#result-body");
    this.status = result.querySelector("#result-status");
    this.problem = root.querySelector("[data-problem]");
    this.fields = Object.fromEntries(
      [...root.querySelectorAll("[data-size]")].map((box) => [box.dataset.size, box.querySelector("input")]),
    );
    this.lastSent = -Infinity;
    this.along = "n";
    for (const [name, field] of Object.entries(this.fields)) {
      field.addEventListener("input", () => this.move(name));
      this.form.elements[name].addEventListener("input", (event) => this.follow(name, event.target));
    }
    this.form.addEventListener("submit", (event) => this.hold(event));
    addEventListener("pageshow", () => {
      this.isLeaving = false;
    });
    root.hidden = false;
    this.look();
  }

  // What has come, and what waits.
  look() {
    const box = this.body.querySelector("[data-batch]");
    this.batch = box && JSON.parse(box.dataset.batch);
    const waiting = this.body.querySelector("[data-ask]");
    if (waiting) waitFor(waiting, (html) => this.show(html));
  }

  show(html) {
    const name = document.querySelector("#id_name");
    const isTyping = name !== null && name === document.activeElement;
    for (const root of this.body.querySelectorAll("[data-figure]")) figureOf(root).leave();
    this.body.innerHTML = html;
    const fresh = document.querySelector("#id_name");
    if (name && fresh) fresh.value = name.value;
    if (isTyping) fresh?.focus({ preventScroll: true });
    tell(this.body);
    for (const root of this.body.querySelectorAll("[data-figure]")) liven(root);
    const heading = this.body.querySelector("#result-heading").textContent.trim();
    const words = [heading, waitOf(html)?.words].filter(Boolean).join(". ");
    if (this.status.textContent !== words) this.status.textContent = words;
    this.look();
  }

  sizes() {
    return { n: Number(this.fields.n.value), d: Number(this.fields.d.value) };
  }

  move(name) {
    this.along = name;
    this.form.elements[name].value = this.fields[name].value;
    this.tell(name);
    this.draw();
    if (!this.underWay) this.bring();
  }

  tell(name) {
    this.fields[name].previousElementSibling.textContent = this.fields[name].value;
  }

  // A size that is typed moves the slider; its code runs when the form is sent.
  follow(name, typed) {
    if (!typed.validity.valid) return;
    this.fields[name].value = typed.value;
    this.tell(name);
  }

  // The form is sent once code may run again after the hand's last run.
  async hold(event) {
    if (!this.sending && performance.now() >= this.lastSent + EVERY_MS) return;
    event.preventDefault();
    const { submitter } = event;
    this.isLeaving = true; // the hand sends nothing more
    await this.sending?.catch(() => {});
    await pause(this.lastSent + EVERY_MS - performance.now());
    this.form.requestSubmit(submitter);
  }

  // Whether the numbers of the hand are here, among those of the last run.
  isHere() {
    const { batch } = this;
    if (!batch) return false;
    const sizes = this.sizes();
    const other = batch.along === "n" ? "d" : "n";
    return batch[other] === sizes[other] && batch.sizes.includes(sizes[batch.along]);
  }

  // Shows the nearest size that is here.
  draw() {
    const { batch } = this;
    if (!batch) return;
    const hand = this.sizes()[batch.along];
    const size = batch.sizes.reduce((best, next) => (Math.abs(next - hand) < Math.abs(best - hand) ? next : best));
    for (const root of this.body.querySelectorAll("[data-figure]")) {
      figureOf(root).setParameters({ [batch.moves]: String(size) });
    }
    const { n, d } = { ...batch, [batch.along]: size };
    this.body.querySelector("[data-call]").textContent = `f(${n}, ${d})`;
    const shared = this.body.querySelector("[data-shared-size]");
    if (shared) shared.value = size;
    const link = this.body.querySelector("[data-explorer]");
    const address = new URL(link.href);
    if (batch.sizes.length > 1) address.searchParams.set(`a.${batch.moves}`, size);
    if (address.searchParams.getAll("enc").length > 1) address.searchParams.set(`b.${batch.moves}`, size);
    link.href = address;
  }

  async bring() {
    this.underWay = true;
    result.setAttribute("aria-busy", "true");
    let answered;
    try {
      for (let tries = 0; !this.isHere() && JSON.stringify(this.sizes()) !== answered; ) {
        await pause(this.lastSent + EVERY_MS - performance.now());
        if (this.isLeaving) return;
        const sizes = this.sizes();
        const [html, seconds] = await this.run(sizes);
        if (html === undefined && tries++) throw new Refused("Too many runs for now. Try again in a moment.");
        if (html === undefined) {
          await pause(1000 * seconds);
          continue;
        }
        tries = 0;
        answered = JSON.stringify(sizes);
        this.show(html);
        if (answered !== JSON.stringify(this.sizes())) this.draw(); // the hand has moved on
      }
      this.say("");
    } catch (error) {
      if (!(error instanceof Refused)) console.warn(error);
      this.say(error instanceof Refused ? error.message : "No answer came. Try again in a moment.");
    } finally {
      this.underWay = false;
      result.removeAttribute("aria-busy");
    }
  }

  // The result of a run as HTML, or how many seconds the site asks to wait before the next.
  async run({ n, d }) {
    renewToken(this.form);
    const body = new FormData(this.form);
    const key = crypto.randomUUID?.() ?? "";
    const facts = { n, d, key, along: this.along, code: this.code };
    for (const [name, value] of Object.entries(facts)) body.set(name, value);
    this.sending = this.ask(this.form.action, { method: "POST", body });
    const sent = await this.sending.finally(() => {
      this.sending = undefined;
      this.lastSent = performance.now(); // the site counts from when it stored the code
    });
    const seconds = Number(sent.headers.get("Retry-After") ?? 1);
    if (sent.status === 429 && seconds <= LONGEST_WAIT_S) return [undefined, seconds];
    history.replaceState(history.state, "", sent.url);
    return [await this.untilDone(await textOf(sent)), 0];
  }

  // What came of a run that was sent: a poll that fails is repeated, and the wait has an end.
  async untilDone(html) {
    const began = performance.now();
    for (let waits = waitOf(html); waits; waits = waitOf(html)) {
      if (performance.now() + waits.ms - began > QUIET_MS) this.say(waits.words);
      let answer;
      for (let ms = waits.ms; answer === undefined; ms = AFTER_FAILURE_MS) {
        if (performance.now() + ms - began > LONGEST_RUN_MS) return html;
        await pause(ms);
        answer = await resultAt(waits.address);
      }
      html = answer;
    }
    return html;
  }

  async ask(address, options) {
    try {
      return await fetch(address, { ...options, headers: { "HX-Request": "true" } });
    } catch {
      throw new Refused("Not sent: no connection. Try again in a moment.");
    }
  }

  say(words) {
    if (this.problem.textContent !== words) this.problem.textContent = words;
    this.problem.hidden = !words;
  }
}

async function textOf(response) {
  const text = await response.text();
  if (response.ok) return text;
  const isMessage = response.headers.get("Content-Type")?.startsWith("text/plain");
  throw new Refused(isMessage ? text : "The site answered with an error. Try again.");
}

// What is there of a run; undefined where no answer came, or none of use.
async function resultAt(address) {
  let response;
  try {
    response = await fetch(address, { headers: { "HX-Request": "true" } });
    if (response.ok) return await response.text();
  } catch {
    return undefined; // no connection just now
  }
  if (response.status === 404) throw new Refused("This result was deleted. Run it again.");
  return undefined;
}

// Where a result that waits is asked for, when, and why it takes long.
function waitOf(html) {
  const waiting = new DOMParser().parseFromString(html, "text/html").querySelector("[data-ask]");
  if (!waiting) return null;
  const words = waiting.querySelector("p").textContent.replace(/\s+/g, " ").trim();
  return { address: waiting.dataset.ask, ms: Number(waiting.dataset.askAfterMs), words };
}

if (result) new Hand(result.querySelector("[data-hand]"));
