// Figures of a page that have a position show the same one. Only the figure under the hand leads:
// the answer of a slower one would otherwise take the hand back.

const figures = new Map(); // root -> its controls
let leader;

function lead(event) {
  for (const root of figures.keys()) if (root.contains(event.target)) leader = root;
}

for (const name of ["pointerdown", "keydown", "input"]) addEventListener(name, lead, true);

export function join(root, controls) {
  if (Number.isNaN(controls.number("position"))) return;
  figures.set(root, controls);
  root.addEventListener("figure:shown", (event) => {
    if (root === leader) follow(root, event.detail.position);
  });
  // A hand may have been quicker than this module.
  if (root.contains(document.activeElement)) leader = root;
  if (leader) follow(leader, figures.get(leader).number("position"));
}

function follow(root, position) {
  for (const [other, controls] of figures) {
    if (!other.isConnected) figures.delete(other);
    if (other === root || !other.isConnected) continue;
    if (controls.number("position") !== controls.inRange("position", Number(position))) {
      controls.set("position", Number(position));
    }
  }
}
