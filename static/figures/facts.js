// Made by tools/figure_facts.py from the constants of posenc.figures: change them there.
export default {
 "axes": {
  "DIGIT": 7.7,
  "LETTER": 7.5,
  "TICK": 5,
  "MINOR_TICK": 2.5,
  "TICK_LABEL_BELOW": 19,
  "NAME_BELOW": 39
 },
 "column_kinds": {
  "NARROWEST_IN_TURN": 3.0
 },
 "heatmap": {
  "SMALLEST_FREE_CELL": 6.0,
  "NARROW": 500,
  "TALLEST": 680,
  "BELOW": 76,
  "BAR_TICKS": 20,
  "KEYS_LEFT": 13
 },
 "keys": {
  "LETTER": 7.2,
  "SYMBOL": 22,
  "LINE": 20,
  "CLOSEST_NUMBERS": 11.0
 },
 "marks": {
  "ZONES_ABOVE": 18,
  "SHADE": 0.6
 },
 "picture": {
  "TOP": 6,
  "RIGHT": 14,
  "LOWEST_PLOT": 200,
  "TALLEST_PLOT": 420,
  "FLATNESS": 0.52
 },
 "scene": {
  "FONT": "DejaVu Sans, Verdana, Arial, sans-serif",
  "TICK_SIZE": 12,
  "LABEL_SIZE": 13
 },
 "colours": {
  "light": {
   "text": "#1c1e21",
   "soft": "#6b7280",
   "paper": "#ffffff",
   "masked": "#cfd5dc",
   "series-0": "#0072b2",
   "series-1": "#d55e00",
   "series-2": "#009e73",
   "series-3": "#cc79a7",
   "series-4": "#e69f00",
   "series-5": "#56b4e9",
   "white": "#ffffff",
   "black": "#000000",
   "none": "none"
  },
  "dark": {
   "text": "#e8eaf0",
   "soft": "#8b93a1",
   "paper": "#0d1117",
   "masked": "#3b424c",
   "series-0": "#56b4e9",
   "series-1": "#e69f00",
   "series-2": "#2fc79a",
   "series-3": "#e39cc4",
   "series-4": "#f0e442",
   "series-5": "#ff8c42",
   "white": "#ffffff",
   "black": "#000000",
   "none": "none"
  }
 }
};
