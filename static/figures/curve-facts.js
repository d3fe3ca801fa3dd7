// Made by tools/figure_facts.py from the constants of posenc.figures: change them there.
export default {
 "circles": {
  "NARROWEST_CIRCLE": 150,
  "NAME_ABOVE": 28,
  "FAINTEST": 0.2,
  "OF_TWO": 0.7
 },
 "curves": {
  "BELOW": 50,
  "LEGEND_LINE": 20,
  "SAMPLE": 30,
  "DASHES": [
   null,
   "7 3",
   "2 2.5",
   "9 3 2 3",
   "5 2 2 2 2 2",
   "1 3"
  ],
  "MARKS": [
   "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z",
   "m-2.7 -2.7h5.4v5.4h-5.4z",
   "m0 -3.6l3.4 6h-6.8z",
   "m0 -3.8l3.8 3.8l-3.8 3.8l-3.8 -3.8z",
   "m0 3.6l3.4 -6h-6.8z",
   "m-3 -1h2v-2h2v2h2v2h-2v2h-2v-2h-2z"
  ],
  "CLOSEST_MARKS": 9.0,
  "MANY_POINTS": 1000
 },
 "layout": {
  "NARROWEST_PANEL": 300,
  "NARROWEST_SMALL": 150,
  "TALLEST": 300,
  "TITLE_ABOVE": 24,
  "TICKS_BELOW": 26,
  "NAME_BELOW": 22
 }
};
