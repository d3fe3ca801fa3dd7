// Numbers as people read them, as posenc/number_format.py writes them.

const NARROW_SPACE = "\u202f";
const TIMES_TEN = "\u00a0×\u00a010";
const RAISED = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

// What stands exactly between two numbers goes to the even digit in Python, and away from zero in
// toFixed and toExponential. `write` is one of them; 40 more digits tell such a number.
function evenly(write, digits) {
  const [mantissa, power] = write(Math.min(digits + 40, 100)).split("e");
  const cut = mantissa.indexOf(".") + 1 + digits;
  const down = mantissa.slice(0, digits ? cut : cut - 1);
  if (!/^50*$/.test(mantissa.slice(cut)) || Number(down.at(-1)) % 2) return write(digits);
  return power === undefined ? down : `${down}e${power}`;
}

// Python's f"{number:.{digits}f}"
export function fixed(number, digits) {
  return evenly((many) => number.toFixed(many), digits);
}

// The digits and the power of ten of f"{number:.{digits}e}"
function scientific(number, digits) {
  const [mantissa, power] = evenly((many) => number.toExponential(many), digits).split("e");
  return [mantissa, Number(power)];
}

// Python's float(f"{number:.{digits}g}")
export function significant(number, digits) {
  return number && Number(scientific(number, digits - 1).join("e"));
}

function inGroups(digits) {
  return digits.replace(/\B(?=(\d{3})+$)/g, NARROW_SPACE);
}

function withoutZeros(digits) {
  return digits.replace(/\.?0+$/, "");
}

// 45 000 for 45000; 9 × 10⁻¹⁴ for a number below 0.0001 or a fraction of more than ten digits.
export function grouped(number) {
  if (Number.isInteger(number)) return inGroups(BigInt(number).toString());
  const [mantissa, power] = scientific(number, 9);
  if (power < -4 || power >= 10) {
    const raised = Array.from(String(power), (one) => RAISED[one]).join("");
    return `${withoutZeros(mantissa)}${TIMES_TEN}${raised}`;
  }
  const digits = Number(`${mantissa}e${power}`).toFixed(9 - power);
  const [whole, rest] = (power < 9 ? withoutZeros(digits) : digits).split(".");
  return inGroups(whole) + (rest ? `.${rest}` : "");
}

// Python's round(): a half goes to the even neighbour.
export function roundHalfEven(number) {
  const below = Math.floor(number);
  if (number - below !== 0.5) return Math.round(number);
  return below % 2 === 0 ? below : below + 1;
}
