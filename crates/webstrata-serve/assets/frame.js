// A page in a frame in which nothing runs, loads or leads anywhere, with the outlines of its segments over it.
//
// The frame has no scripts (sandbox), inherits the policy of this page, and gets HTML that the server wrote from the page's text
// alone. It has our origin so that we can measure where the segments are; pointing at them happens in our own layer above it.

import { count, h } from "./dom.js";

const policy = globalThis.trustedTypes?.createPolicy("frame", { createHTML: (html) => html }) ?? { createHTML: (html) => html };
const MAX_HEIGHT = 30000;

export function framed(method, html, segments, on) {
  const frame = h("iframe", { sandbox: "allow-same-origin", title: `The page by ${method}`, tabindex: -1 });
  const layer = h("div", { class: "layer", role: "listbox", tabindex: 0, "aria-label": `Segments by ${method}` });
  const boxes = segments.map((segment, number) =>
    h("div", { class: `box ${segment.role}${segment.content ? " content" : ""}`, role: "option", id: `${method}-${number}`, "aria-selected": "false", "aria-label": `${number}: ${segment.role}, ${segment.content ? "content" : "not content"}, ${count(segment.words, "word")}` }),
  );
  layer.append(...boxes);
  const element = h("figure", { class: "framed" }, h("figcaption", {}, `${method}: ${count(segments.length, "segment")}`), h("div", { class: "stack" }, frame, layer));
  let areas = [];

  function measure() {
    const page = frame.contentDocument;
    if (!page?.body || !element.isConnected) return;
    page.documentElement.dataset.theme = document.documentElement.dataset.theme ?? "";
    frame.style.height = "100px";
    frame.style.height = `${Math.min(page.documentElement.scrollHeight + 2, MAX_HEIGHT)}px`;
    const rects = segments.map(() => undefined);
    for (const span of page.querySelectorAll("[data-s]")) {
      const number = Number(span.dataset.s);
      const { left, top, right, bottom } = span.getBoundingClientRect();
      if (right <= left) continue;
      const old = rects[number];
      rects[number] = old ? { left: Math.min(old.left, left), top: Math.min(old.top, top), right: Math.max(old.right, right), bottom: Math.max(old.bottom, bottom) } : { left, top, right, bottom };
    }
    areas = rects;
    rects.forEach((rect, number) => {
      const style = boxes[number].style;
      if (!rect) return void (style.display = "none");
      Object.assign(style, { display: "", left: `${rect.left - 3}px`, top: `${rect.top - 2}px`, width: `${rect.right - rect.left + 6}px`, height: `${rect.bottom - rect.top + 4}px` });
    });
  }

  // Of several boxes at a point, the smallest is chosen.
  function at(event) {
    const origin = layer.getBoundingClientRect();
    const [x, y] = [event.clientX - origin.left, event.clientY - origin.top];
    const size = ({ left, right, top, bottom }) => (right - left) * (bottom - top);
    let found = -1;
    areas.forEach((area, number) => {
      const inside = area && x >= area.left - 3 && x <= area.right + 3 && y >= area.top - 2 && y <= area.bottom + 2;
      if (inside && (found < 0 || size(area) < size(areas[found]))) found = number;
    });
    return found;
  }

  layer.addEventListener("pointermove", (event) => at(event) >= 0 && on.hover?.(at(event)));
  layer.addEventListener("click", (event) => at(event) >= 0 && on.choose?.(at(event)));
  layer.addEventListener("keydown", (event) => {
    const step = { ArrowDown: "j", ArrowUp: "k" }[event.key];
    if (!step) return;
    event.preventDefault();
    dispatchEvent(Object.assign(new KeyboardEvent("keydown", { key: step, bubbles: true })));
  });
  frame.addEventListener("load", measure);
  frame.srcdoc = policy.createHTML(html);
  new ResizeObserver(() => requestAnimationFrame(measure)).observe(element);

  return {
    element,
    mark(number) {
      boxes.forEach((box, i) => {
        box.classList.toggle("chosen", i === number);
        box.setAttribute("aria-selected", String(i === number));
      });
      if (number >= 0) layer.setAttribute("aria-activedescendant", `${method}-${number}`);
    },
    show(number) {
      boxes[number]?.scrollIntoView({ block: "nearest" });
    },
  };
}
