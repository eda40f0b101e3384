// The page view: a page with its segments, its profile, and its extracted content.

import { get, post, source } from "./api.js";
import { count, download, h, later, say } from "./dom.js";
import { framed } from "./frame.js";
import { outline } from "./outline.js";
import { profile } from "./profile.js";

const EXAMPLES = { article: "News article", listing: "List of products", forum: "Forum thread", arabic: "Arabic page" };
const LABELS = { text: "Text", markdown: "Markdown", metadata: "Metadata", segments: "JSON" };
const ENDINGS = { text: ["txt", "text/plain"], markdown: ["md", "text/markdown"], metadata: ["json", "application/json"], segments: ["json", "application/json"] };

export function page(about) {
  const state = { source: undefined, name: "page", url: undefined, fetch: undefined, answer: undefined, chosen: -1, pinned: false, tab: "text", outline: matchMedia("(max-width: 44rem)").matches };
  let running;
  let views = [];

  const select = (name, label, values, first) =>
    h("label", {}, label, h("select", { name, onchange: () => refresh() }, values.map((value) => h("option", { value, selected: value === first }, value || "none"))));
  const slider = (name, label, value) => {
    const output = h("output", {}, value);
    const input = h("input", { type: "range", name, min: 0, max: 1, step: 0.01, value, "aria-label": label });
    input.addEventListener("input", () => {
      output.textContent = Number(input.value).toFixed(2);
      slow();
    });
    return h("label", {}, label, input, output);
  };
  const form = h(
    "form",
    { class: "controls", "aria-label": "Methods", onsubmit: (event) => event.preventDefault() },
    select("method", "Method", about.methods, "strata"),
    select("other", "Compare with", ["", ...about.methods], ""),
    slider("granularity", "Granularity", "0.67"),
    slider("theta", "Theta", "0.38"),
    select("preset", "Content preset", about.presets, "strata"),
    select("mode", "Mode", ["balanced", "precision", "recall"], "balanced"),
  );
  form.elements.theta.dataset.touched = "";
  form.elements.theta.addEventListener("input", () => (form.elements.theta.dataset.touched = "yes"));

  const paste = h("textarea", { rows: 4, placeholder: "Paste HTML here", "aria-label": "HTML of a page", spellcheck: "false" });
  const file = h("input", { type: "file", accept: ".html,.htm,.xhtml,text/html", "aria-label": "File with a page" });
  const address = h("input", { type: "url", placeholder: "https://example.org/page", "aria-label": "Address of a page" });
  const stored = h("select", { "aria-label": "Page of the crawl" }, h("option", { value: "" }, "Choose a page…"));
  const input = h(
    "section",
    { class: "input", "aria-label": "The page" },
    h("div", { class: "row" }, Object.entries(EXAMPLES).map(([name, label]) => h("button", { type: "button", "data-example": name, onclick: () => example(name) }, label)), h("label", { class: "file" }, "Open a file ", file)),
    about.pages && h("div", { class: "row" }, h("label", {}, "From the crawl ", stored)),
    about.fetch && h("form", { class: "row", onsubmit: (event) => { event.preventDefault(); load(new Blob([]), address.value, { fetch: address.value, url: address.value }); } }, address, h("button", {}, "Fetch")),
    h("details", {}, h("summary", {}, "Paste HTML"), paste),
  );
  const work = h("div", { class: "work" });
  const title = h("h1", { dir: "auto" }, "A page and its strata");
  const facts = h("p", { class: "facts" });
  const note = h("p", { class: "note", role: "note", hidden: true });
  const toggle = h("button", { type: "button", "aria-pressed": String(state.outline), onclick: () => flip() }, "Outline");
  const detail = h("section", { class: "detail", "aria-label": "The segment", "aria-live": "polite" }, h("p", { class: "hint" }, "Point at a segment or press j."));
  const result = h("section", { class: "result", "aria-label": "Extracted content" });
  const element = h("div", { class: "page-view" }, h("div", { class: "head" }, title, toggle), facts, note, input, h("details", { class: "methods", open: !state.outline }, h("summary", {}, "Methods"), form), h("div", { class: "columns" }, work, h("aside", { "aria-label": "Details" }, detail, result)));

  const slow = later(() => refresh());
  paste.addEventListener("input", later(() => paste.value.trim() && load(paste.value, "pasted"), 400));
  file.addEventListener("change", () => file.files[0] && load(file.files[0], file.files[0].name));
  element.addEventListener("dragover", (event) => event.preventDefault());
  element.addEventListener("drop", (event) => {
    event.preventDefault();
    const dropped = event.dataTransfer.files[0];
    if (dropped) load(dropped, dropped.name);
    else load(event.dataTransfer.getData("text/html") || event.dataTransfer.getData("text/plain"), "dropped");
  });
  stored.addEventListener("change", () => stored.value && (location.hash = `page?id=${encodeURIComponent(stored.value)}`));
  if (about.pages) listStored();

  async function listStored() {
    try {
      const { pages } = await get("pages", { limit: 200 });
      stored.append(...pages.map((row) => h("option", { value: row.id }, row.title || row.url || row.id)));
    } catch (error) {
      say(error.message, true);
    }
  }

  async function example(name) {
    const response = await fetch(`/assets/examples/${name}.html`);
    load(await response.blob(), `${name}.html`);
  }

  function load(source, name, { fetch, url } = {}) {
    Object.assign(state, { source, name, fetch, url, chosen: -1, pinned: false });
    explain();
    return refresh();
  }

  // Verdicts are the server's; here they are only shown.
  async function refresh() {
    if (state.source === undefined) return;
    running?.abort();
    running = new AbortController();
    const { method, other, granularity, theta, preset, mode } = form.elements;
    const options = { preset: preset.value, mode: mode.value, granularity: granularity.value, theta: theta.dataset.touched ? theta.value : undefined, url: state.url, fetch: state.fetch };
    const methods = [method.value, other.value].filter((name, i, all) => name && all.indexOf(name) === i);
    element.setAttribute("aria-busy", "true");
    try {
      const answers = [post("compare", { ...options, methods: methods.join(",") }, state.source, running.signal)];
      answers.push(...methods.map((name) => post("view", { ...options, method: name }, state.source, running.signal)));
      const [answer, ...frames] = await Promise.all(answers);
      state.answer = await answer.json();
      state.frames = await Promise.all(frames.map((frame) => frame.text()));
      draw();
      say(`${count(segments().length, "segment")} by ${methods[0]}`);
    } catch (error) {
      if (error.name !== "AbortError") say(error.message, true);
    }
    element.removeAttribute("aria-busy");
  }

  // Reasons why a page is incomplete; methods can only be chosen for complete pages.
  function explain(...reason) {
    note.replaceChildren(...reason);
    note.hidden = !reason.length;
    for (const control of form.elements) control.disabled = reason.length > 0;
  }

  // A page of the tables: its original if the server has it, otherwise only its segments, which are in the tables.
  async function openStored(id) {
    let missing = ["The tables of a run have the segments of a page, not its HTML, so this page is shown as an outline and other methods cannot be tried on it. Start the server with ", h("code", {}, "--sources DIR"), ", the folder with the files that the run read, to see the page itself."];
    if (about.sources) {
      try {
        const bytes = await source(id);
        const { page: row } = await get("page", { id });
        return load(bytes, row.title || row.id, { url: row.url ?? undefined });
      } catch (error) {
        missing = [`Only the segments of this page are shown: ${error.message}.`];
      }
    }
    try {
      const { page: row, segments: rows } = await get("page", { id });
      const list = rows.map((segment) => ({ ...segment, link_words: Math.round(segment.link_density * segment.words) }));
      const atoms = list.map((segment) => ({ span: [segment.spans[0]?.[0] ?? 0, segment.spans.at(-1)?.[1] ?? 0], lines: Math.max(1, Math.ceil(segment.text.length / 80)), words: segment.words, density: segment.text_density }));
      state.source = undefined;
      state.name = row.title || row.id;
      state.answer = { page: { title: row.title, url: row.url, text: row.text, markdown: row.markdown, metadata: row, encoding: row.encoding, page_type: row.page_type }, profile: atoms, methods: [{ method: "run", segments: list }] };
      state.frames = [];
      state.chosen = -1;
      explain(...missing);
      draw();
      say(`${count(list.length, "segment")} of the run`);
    } catch (error) {
      say(error.message, true);
    }
  }

  const segments = () => state.answer?.methods[0]?.segments ?? [];

  function draw() {
    const { page: record, methods, profile: atoms } = state.answer;
    const on = { hover: (number) => choose(number, false), choose: (number) => choose(number, true) };
    title.textContent = record.title || "Page without a title";
    const problems = (record.problems ?? []).map((problem) => problem.message ?? problem.code ?? "cut");
    facts.replaceChildren(...[record.url, record.encoding, record.page_type, count(segments().reduce((sum, segment) => sum + segment.words, 0), "word"), ...problems].filter(Boolean).map((fact) => h("span", {}, fact)));
    const shape = profile(atoms, methods, on);
    const bodies = state.outline || !state.frames.length
      ? [outline(segments(), on)]
      : methods.map(({ method, segments: list }, i) => framed(method, state.frames[i], list, i === 0 ? on : {}));
    views = [shape, bodies[0]];
    toggle.setAttribute("aria-pressed", String(state.outline));
    work.classList.toggle("two", bodies.length > 1);
    work.replaceChildren(h("div", { class: "profile-box" }, shape.element), ...bodies.map((body) => body.element));
    choose(state.chosen, state.pinned);
    drawResult();
  }

  function choose(number, pin) {
    if (!pin && state.pinned) return;
    if (pin) state.pinned = !(state.pinned && state.chosen === number) && number >= 0;
    state.chosen = number;
    views.forEach((view) => view.mark(number));
    const segment = segments()[number];
    if (!segment) return;
    const spans = segment.spans;
    const rows = {
      bytes: spans.length ? `${spans[0][0]}–${spans.at(-1)[1]}` : "none",
      words: `${segment.words}, ${segment.link_words} in links`,
      density: `${segment.text_density.toFixed(1)} words per line`,
      score: segment.score.toFixed(3),
      path: segment.path,
      reason: segment.why,
    };
    detail.replaceChildren(
      h("h2", {}, h("i", { class: `key ${segment.role}` }), ` ${number}: ${segment.role}, ${segment.content ? "content" : "not content"}`),
      h("dl", {}, Object.entries(rows).filter(([, value]) => value !== undefined).map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
      h("p", { class: "quote", dir: "auto" }, segment.text.length > 300 ? `${segment.text.slice(0, 300)}…` : segment.text),
    );
  }

  function drawResult() {
    const { page: record } = state.answer;
    const texts = { text: record.text ?? "", markdown: record.markdown ?? "", metadata: JSON.stringify(record.metadata ?? {}, null, 1), segments: JSON.stringify(state.answer, null, 1) };
    const name = state.name.replace(/[^\p{L}\p{N}.-]+/gu, "-").slice(0, 60) || "page";
    const body = h("pre", { dir: "auto", tabindex: 0, "aria-label": LABELS[state.tab] }, texts[state.tab]);
    const tabs = Object.entries(LABELS).map(([key, label]) => h("button", { type: "button", "aria-pressed": String(state.tab === key), onclick: () => { state.tab = key; drawResult(); } }, label));
    const copy = async () => {
      await navigator.clipboard.writeText(texts[state.tab]);
      say("copied");
    };
    const [ending, type] = ENDINGS[state.tab];
    result.replaceChildren(
      h("div", { class: "row", role: "group", "aria-label": "Format" }, tabs, h("span", { class: "gap" }), h("button", { type: "button", onclick: copy }, "Copy"), h("button", { type: "button", onclick: () => download(`${name}.${ending}`, type, texts[state.tab]) }, "Download")),
      body,
    );
  }

  function flip() {
    state.outline = !state.outline;
    if (state.answer) draw();
    else toggle.setAttribute("aria-pressed", String(state.outline));
  }

  return {
    element,
    open({ id }) {
      if (id) openStored(id);
      else if (!state.answer) example("article");
    },
    key({ key }) {
      const last = segments().length - 1;
      if (key === "o") flip();
      else if (key === "j" && last >= 0) step(Math.min(state.chosen + 1, last));
      else if (key === "k" && last >= 0) step(Math.max(state.chosen - 1, 0));
      else if (key === "Enter" && state.chosen >= 0 && document.activeElement === document.body) choose(state.chosen, true);
      else return false;
      return true;
    },
    themed: () => state.answer && draw(),
  };

  function step(number) {
    state.pinned = false;
    choose(number, false);
    views[1]?.show?.(number);
  }
}
