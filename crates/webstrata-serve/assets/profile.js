// The densitometric profile: along the text, words per line. The page runs from top to bottom, beside the page itself; on the
// left are the segments of each method.

import { s } from "./dom.js";

const WIDTH = 160;
const STRIP = 12;

// atoms: the texts of the page in order; divisions: [{method, segments}]; on: event handlers for segments of the first method.
export function profile(atoms, divisions, on) {
  let y = 0;
  const places = atoms.map((atom) => {
    const from = y;
    y += Math.max(atom.lines, 1);
    return { from, to: y, atom };
  });
  const height = Math.max(y, 1);
  const left = divisions.length * STRIP + 6;
  const densest = Math.max(10, ...atoms.map((atom) => atom.density));
  const scale = (WIDTH - left - 4) / densest;
  const numbers = divisions.map(({ segments }) => owners(atoms, segments));
  // One path for each role: a page may have thousands of atoms.
  const paths = new Map();
  places.forEach(({ from, to, atom }, i) => {
    const segment = divisions[0]?.segments[numbers[0][i]];
    const role = segment ? `${segment.role}${segment.content ? " content" : ""}` : "none";
    const bar = `M${left} ${from}h${(atom.density * scale).toFixed(1)}V${to}H${left}z`;
    paths.set(role, (paths.get(role) ?? "") + bar);
  });
  const strips = divisions.flatMap(({ segments }, column) => bands(places, numbers[column], segments, column));
  const cursor = s("rect", { class: "cursor", x: 0, width: WIDTH, y: 0, height: 0 });
  const mean = s("line", { class: "mean", x1: left + 10 * scale, x2: left + 10 * scale, y1: 0, y2: height });
  const drawing = s(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${height}`, preserveAspectRatio: "none", class: "profile", role: "img", "aria-label": "Words per line along the text" },
    [...paths].map(([role, d]) => s("path", { class: role, d })),
    mean,
    strips,
    cursor,
  );
  const at = (event) => {
    const box = drawing.getBoundingClientRect();
    const line = ((event.clientY - box.top) / box.height) * height;
    const i = places.findIndex(({ to }) => line < to);
    return i < 0 ? -1 : numbers[0][i];
  };
  drawing.addEventListener("pointermove", (event) => on.hover(at(event)));
  drawing.addEventListener("click", (event) => on.choose(at(event)));
  return {
    element: drawing,
    mark(number) {
      const own = places.filter((_, i) => numbers[0]?.[i] === number);
      cursor.setAttribute("y", own[0]?.from ?? 0);
      cursor.setAttribute("height", own.length ? own[own.length - 1].to - own[0].from : 0);
    },
  };
}

// For each atom the number of its segment, by byte ranges.
function owners(atoms, segments) {
  const spans = segments.flatMap((segment, number) => segment.spans.map(([from, to]) => ({ from, to, number })));
  spans.sort((one, two) => one.from - two.from);
  let next = 0;
  return atoms.map(({ span }) => {
    while (next < spans.length - 1 && spans[next].to <= span[0]) next++;
    return spans[next] && spans[next].from < span[1] ? spans[next].number : -1;
  });
}

function bands(places, numbers, segments, column) {
  const found = [];
  for (let i = 0; i < places.length; ) {
    let end = i + 1;
    while (end < places.length && numbers[end] === numbers[i]) end++;
    const segment = segments[numbers[i]];
    if (segment) {
      const kind = `${segment.role}${segment.content ? " content" : ""}`;
      const [y, height] = [places[i].from, places[end - 1].to - places[i].from];
      found.push(s("rect", { class: `band ${kind}`, x: column * STRIP, width: STRIP - 3, y, height: Math.max(height - 0.3, 0.4) }));
    }
    i = end;
  }
  return found;
}
