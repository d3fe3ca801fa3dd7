// The bucket of each relative position, key - query.

import { ceilOfGeometric } from "../../numbers/geometric.js";
import { read } from "../../numbers/parameters.js";
import { stairs } from "../../numbers/pictures.js";
import { counting } from "../../numbers/view-data.js";

const USUAL = { num_buckets: 32, max_distance: 128, bidirectional: true, reach: 160 };

export function cells(parameters) {
  return 2 * read(parameters, USUAL).reach + 1;
}

// The longest distance must lie beyond those with a bucket of their own.
export function refuses(parameters) {
  const { num_buckets, max_distance, bidirectional } = read(parameters, USUAL);
  return max_distance <= Math.floor(num_buckets / (bidirectional ? 4 : 2));
}

// The smallest distance of each bucket of one direction.
function firstDistances({ num_buckets, max_distance, bidirectional }) {
  const count = bidirectional ? num_buckets / 2 : num_buckets;
  const exact = Math.floor(count / 2);
  const beyond = count - exact;
  return Array.from({ length: count }, (_, bucket) =>
    bucket < exact ? bucket : ceilOfGeometric(exact, max_distance, bucket - exact, beyond),
  );
}

function bucketsOf(first, { bidirectional }, reach) {
  const near = new Float64Array(reach + 1); // the bucket of each distance of one direction
  let bucket = 0;
  for (let distance = 0; distance <= reach; distance += 1) {
    while (bucket + 1 < first.length && first[bucket + 1] <= distance) bucket += 1;
    near[distance] = bucket;
  }
  return (relative) => {
    if (relative <= 0) return near[-relative];
    return bidirectional ? near[relative] + first.length : 0;
  };
}

function zones(first, { bidirectional }, reach) {
  const begins = new Set(first);
  let near = 0; // the last distance with a bucket of its own, but for the one after it
  while (begins.has(near + 1)) near += 1;
  near -= 1;
  if (near <= 0 || near >= reach) return [];
  const share = "distances begin to share buckets";
  const after = bidirectional ? `later keys: ${share}` : "later keys all read bucket 0";
  const middle = bidirectional ? near : 0;
  const own = `distances to ${near} have a bucket each`;
  return [
    { low: -reach, high: -near - 0.5, label: `earlier keys: ${share}` },
    { low: -near - 0.5, high: middle + 0.5, label: own },
    { low: middle + 0.5, high: reach, label: after },
  ];
}

export function compute(parameters) {
  const given = read(parameters, USUAL);
  const { reach } = given;
  const first = firstDistances(given);
  const relative = counting(2 * reach + 1, -reach);
  return stairs(relative.map(bucketsOf(first, given, reach)), relative, {
    x_label: "relative position, key − query",
    y_label: "bucket",
    series: "bucket",
    column_noun: "relative position",
    unit: "bucket",
    zones: zones(first, given, reach),
  });
}
