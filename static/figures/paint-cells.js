// Cells on a canvas: a pixel for each, stretched by the browser. Of many cells the canvas is larger,
// up to the next multiple of 64: with another size at each step of a slider the browser would make it
// again, a third of the time of a map of 512 x 512.

import facts from "./facts.js";

const MANY = 65536;

// Of the pixels of a step: all canvases use it in turn, so that no step leaves a megabyte behind.
let memory = new ArrayBuffer(0);

// Each in a file with its name, as the layouts in page-picture.js.
const PALETTES = {
  magnitude: () => import("./palettes/magnitude.js"),
  signed_unit: () => import("./palettes/signed_unit.js"),
};

// What paints cells in the colours of a scale.
export async function painterOf(scale) {
  const { default: bytes } = await PALETTES[scale]();
  const painted = {};
  return (part, canvas, scene, scheme) => {
    const key = `${part.palette} ${scheme}`;
    if (part.palette === "cover") painted[key] ??= cover(scheme);
    else if (part.palette === scale) painted[key] ??= colours(bytes[scheme]);
    paint(part, canvas, scene, painted[key]);
  };
}

function paint(part, canvas, { width, height }, colours) {
  const [rows, columns] = part.shape;
  const [wide, tall] = [columns, rows].map((size) => (rows * columns < MANY ? size : Math.ceil(size / 64) * 64));
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== tall) canvas.height = tall;
  canvas.style.transform = `scale(${wide / columns}, ${tall / rows})`;
  const { box } = part;
  canvas.style.left = `${(100 * box.x) / width}%`;
  canvas.style.top = `${(100 * box.y) / height}%`;
  canvas.style.width = `${(100 * box.width) / width}%`;
  canvas.style.height = `${(100 * box.height) / height}%`;
  const count = rows * columns;
  if (memory.byteLength < 4 * count) memory = new ArrayBuffer(4 * count);
  const image = new ImageData(new Uint8ClampedArray(memory, 0, 4 * count), columns, rows);
  const pixels = new Uint32Array(memory, 0, count);
  for (let cell = 0; cell < pixels.length; cell += 1) pixels[cell] = colours[part.indices[cell]];
  const context = canvas.getContext("2d");
  // Also tells the browser not to copy the picture of before.
  context.clearRect(0, 0, wide, tall);
  context.putImageData(image, 0, 0);
}

// 256 colours as ImageData has them, the bytes of one pixel as one number.
function colours(palette) {
  const bytes = atob(palette);
  const pixels = new Uint8Array(1024).fill(255);
  // After three bytes of a colour stays one of 255.
  for (let at = 0; at < 768; at += 1) pixels[at + ((at / 3) | 0)] = bytes.charCodeAt(at);
  return new Uint32Array(pixels.buffer);
}

function cover(scheme) {
  const hex = facts.colours[scheme].masked;
  const rgb = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  return new Uint32Array(Uint8Array.of(0, 0, 0, 0, ...rgb, 255).buffer);
}
