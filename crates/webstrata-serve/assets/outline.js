// Segments as an outline that can be opened and closed: for small screens, and for reading.

import { count, h } from "./dom.js";

const SHORT = 70;

export function outline(segments, on) {
  const items = segments.map((segment, number) => {
    const line = segment.text.split("\n")[0];
    const title = line.length > SHORT ? `${line.slice(0, SHORT)}…` : line;
    const item = h(
      "details",
      { class: `item ${segment.role}${segment.content ? " content" : ""}`, open: segment.content, "data-number": number },
      h("summary", {}, h("b", {}, segment.role), " ", h("bdi", {}, title), h("small", {}, ` ${count(segment.words, "word")}`)),
      h("div", { class: "text", dir: "auto" }, segment.text.split("\n").map((text) => h("p", {}, text))),
    );
    item.addEventListener("toggle", () => item.open && on.choose(number));
    return item;
  });
  const all = (open) => () => items.forEach((item) => (item.open = open));
  return {
    element: h(
      "section",
      { class: "outline", "aria-label": "Outline" },
      h("p", { class: "row" }, h("button", { type: "button", onclick: all(true) }, "Expand all"), h("button", { type: "button", onclick: all(false) }, "Collapse all")),
      items.length ? items : h("p", { class: "empty" }, "This page has no text."),
    ),
    mark(number) {
      items.forEach((item, i) => item.classList.toggle("chosen", i === number));
    },
  };
}
