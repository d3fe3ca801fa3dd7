// Whole numbers on a geometric scale, exactly, as posenc/geometric.py finds them: where buckets
// begin, one rounding error of a logarithm would put a distance into the wrong one.

// The largest n with n ** degree <= power, by bisection.
function root(power, degree) {
  const bits = power.toString(2).length;
  let atMost = 1n << BigInt(Math.ceil(bits / Number(degree)));
  let n = atMost >> 1n;
  while (atMost - n > 1n) {
    const middle = (n + atMost) / 2n;
    if (middle ** degree <= power) n = middle;
    else atMost = middle;
  }
  return n;
}

// The smallest whole number that is at least low * (high / low) ** (steps / of), steps <= of.
export function ceilOfGeometric(low, high, steps, of) {
  const [least, most, above, degree] = [low, high, steps, of].map(BigInt);
  const power = most ** above * least ** (degree - above);
  const floor = root(power, degree);
  return Number(floor ** degree === power ? floor : floor + 1n);
}
