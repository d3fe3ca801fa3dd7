// A step in screens: one after the other is opened in place, and the earlier ones stay above. The
// address names the last one that is open (`#2`), so a reload or Back leads to the same place.
// Without this script the step is one page.

const root = document.querySelector("[data-screens]");
const CALM = matchMedia("(prefers-reduced-motion: reduce)");

class Screens {
  constructor(root) {
    this.root = root;
    this.screens = [...root.children];
    this.foot = this.madeFoot();
    this.open(this.wanted());
    root.classList.add("screens--on");
    addEventListener("hashchange", () => this.follow());
    addEventListener("beforeprint", () => this.showAll());
    addEventListener("afterprint", () => this.open(this.last));
    root.addEventListener("beforematch", (event) => this.found(event.target));
  }

  // The number of the screen that the address names, by its number or by something that is in it.
  wanted() {
    if (this.root.closest("[data-read]")) return this.screens.length;
    return Math.max(this.numberOf(document.getElementById(location.hash.slice(1))), 1);
  }

  numberOf(element) {
    return this.screens.findIndex((screen) => screen.contains(element)) + 1;
  }

  // Closed ones are still found by the browser's own search where it can look into them.
  open(last) {
    this.last = last;
    for (const [index, screen] of this.screens.entries()) {
      if (index < last) screen.removeAttribute("hidden");
      else screen.setAttribute("hidden", "until-found");
      screen.classList.toggle("screen--now", index === last - 1);
    }
    // The pictures of the next screen come while this one is read.
    const pictures = this.screens[last]?.querySelectorAll("img[loading=lazy]") ?? [];
    for (const picture of pictures) picture.loading = "eager";
    // The way on stands in the screen: next to a figure it is under the text, in sight with it.
    this.screens[last - 1].append(this.foot);
    const isWhole = last === this.screens.length;
    this.root.classList.toggle("screens--whole", isWhole);
    this.place.textContent = `${last} of ${this.screens.length}`;
    this.foot.hidden = isWhole;
  }

  showAll() {
    for (const screen of this.screens) screen.removeAttribute("hidden");
  }

  // Somebody wants to see an element of a closed screen.
  found(element) {
    const number = this.numberOf(element);
    if (number > this.last) this.goOn(number);
  }

  follow() {
    const number = this.wanted();
    if (number > this.last) this.open(number);
    if (/^#\d+$/.test(location.hash)) this.stand(number);
  }

  goOn(last) {
    this.open(last);
    const address = new URL(location.href);
    address.hash = String(last);
    history.replaceState(history.state, "", address);
  }

  // The reading goes on at the beginning of a screen, also for the keyboard and for listeners.
  stand(number) {
    const screen = this.screens[number - 1];
    screen.focus({ preventScroll: true });
    screen.scrollIntoView({ block: "start", behavior: CALM.matches ? "auto" : "smooth" });
  }

  madeFoot() {
    const foot = document.createElement("div");
    foot.className = "screens__foot";
    this.place = document.createElement("span");
    this.place.className = "meta";
    foot.append(
      this.button("Continue", "button", () => this.last + 1),
      this.place,
      this.button("Show all", "button button--plain", () => this.screens.length),
    );
    return foot;
  }

  button(words, look, last) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = look;
    button.textContent = words;
    button.addEventListener("click", () => {
      const next = this.last + 1;
      this.goOn(last());
      this.stand(next);
    });
    return button;
  }
}

if (root && root.children.length > 1) new Screens(root);
