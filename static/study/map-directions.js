// Which node an arrow key goes to: the nearest in that direction, sideways distance counting twice.

const AXES = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };

export function nearest(from, direction, middles) {
  const [across, down] = AXES[direction];
  const here = middles.get(from);
  let best = null;
  let least = Infinity;
  for (const [node, there] of middles) {
    const x = there.x - here.x;
    const y = there.y - here.y;
    const ahead = x * across + y * down;
    const aside = Math.abs(x * down) + Math.abs(y * across);
    // Sideways keys stay in the layer; up and down may lean.
    if (ahead <= 1 || (across && aside > 1)) continue;
    if (ahead + 2 * aside < least) [best, least] = [node, ahead + 2 * aside];
  }
  return best;
}
