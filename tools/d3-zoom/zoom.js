// What the concept map uses of d3: selecting its drawing, zooming and panning it.
export { select } from "d3-selection";
export { zoom, zoomIdentity } from "d3-zoom";
