// Search with facets, snippets and explanations.

import { get } from "./api.js";
import { count, h, say } from "./dom.js";
import { ranking as ranked } from "./links.js";

const FACETS = { site: "Site", lang: "Language", kind: "Type", year: "Year" };
// The operator of the query language for a value of a facet.
const FILTERS = {
  site: (value) => `site:${value}`,
  lang: (value) => `lang:${value}`,
  kind: (value) => `kind:${value}`,
  year: (value) => `after:${value} before:${Number(value) + 1}`,
};

export function search(about) {
  const words = h("input", { type: "search", name: "q", "aria-label": "Query", placeholder: "rain -snow site:example.org lang:en" });
  const ranking = h("select", { name: "ranking" }, ["bm25-segment", "bm25", "bm25-nt", "bm25-minwords=5", "bm25-mindensity=5"].map((value) => h("option", { value }, value)));
  const topic = h("select", { name: "topic" }, h("option", { value: "" }, "not used"), about.topics.map((value) => h("option", { value }, ranked(value, about.topics))));
  const explain = h("input", { type: "checkbox", name: "explain" });
  const form = h(
    "form",
    { class: "search-form", role: "search", onsubmit: (event) => { event.preventDefault(); go(); } },
    h("div", { class: "row" }, words, h("button", {}, "Search")),
    h("div", { class: "row" }, h("label", {}, "Ranking ", ranking), about.topics.length > 0 && h("label", {}, "Link ranks ", topic), h("label", { class: "check" }, explain, " Explain scores")),
  );
  const results = h("ol", { class: "results", "aria-label": "Results" });
  const facets = h("aside", { class: "facets", "aria-label": "Facets" });
  const empty = h("p", { class: "empty" }, about.search ? "Type a query. Words, \"phrases\", AND, OR, -not, site:, lang:, kind:, after:, before:." : "There is no index here. Make one with `webstrata run` and `webstrata index`, and start `webstrata serve` with their folder.");
  const element = h("div", { class: "search-view" }, h("h1", {}, "Search"), about.search && form, empty, h("div", { class: "columns" }, results, facets));
  ranking.addEventListener("change", go);
  topic.addEventListener("change", go);
  explain.addEventListener("change", go);
  let running;

  function go() {
    if (!words.value.trim()) return;
    const query = new URLSearchParams({ q: words.value, ranking: ranking.value, topic: topic.value, explain: explain.checked ? "true" : "" });
    location.hash = `search?${query}`;
  }

  async function run(parameters) {
    running?.abort();
    running = new AbortController();
    const options = { q: parameters.q, ranking: parameters.ranking, topic: parameters.topic || undefined };
    try {
      const [found, about] = await Promise.all([
        get("search", { ...options, limit: 20, explain: parameters.explain || undefined }, running.signal),
        get("facets", options, running.signal),
      ]);
      empty.textContent = found.hits.length ? "" : "Nothing found.";
      results.replaceChildren(...found.hits.map(hit));
      drawFacets(about, parameters.q);
      say(count(found.hits.length, "result"));
    } catch (error) {
      if (error.name !== "AbortError") say(error.message, true);
    }
  }

  function hit(found) {
    const facts = [found.host, found.language, found.kind, found.date?.slice(0, 10), found.score.toFixed(3)].filter(Boolean);
    return h(
      "li",
      {},
      h("a", { href: about.pages ? `#page?id=${encodeURIComponent(found.id)}` : `#search?q=${encodeURIComponent(words.value)}`, dir: "auto" }, found.title || found.url || found.id),
      h("p", { class: "facts" }, facts.map((fact) => h("span", {}, fact))),
      h("p", { class: "snippet", dir: "auto" }, snippet(found.snippet)),
      found.similar.length > 0 && h("p", { class: "facts" }, `and ${count(found.similar.length, "page")} like it`),
      found.explanation && h("details", { open: true }, h("summary", {}, "Why this score"), explanation(found.explanation)),
    );
  }

  function drawFacets(found, query) {
    const list = (name) => found[name].length > 1 && h("section", {}, h("h2", {}, FACETS[name]), h("ul", {}, found[name].slice(0, 8).map(({ value, pages }) => h("li", {}, h("button", { type: "button", onclick: () => { words.value = `${query} ${FILTERS[name](value)}`; go(); } }, h("bdi", {}, value)), h("small", {}, ` ${pages}`)))));
    const topics = found.topics.length > 0 && h("section", {}, h("h2", {}, "Topics"), h("ul", {}, found.topics.slice(0, 10).map(({ topic: name, share }) => h("li", {}, h("button", { type: "button", onclick: () => { topic.value = name; go(); } }, name), h("meter", { min: 0, max: 1, value: share, "aria-label": `share of ${name}` }), h("small", {}, ` ${Math.round(share * 100)}%`)))));
    facets.replaceChildren(...[topics, ...Object.keys(FACETS).map(list)].filter(Boolean));
  }

  return {
    element,
    open(parameters) {
      if (!about.search) return;
      words.focus();
      if (!parameters.q) return;
      words.value = parameters.q;
      if (parameters.ranking) ranking.value = parameters.ranking;
      topic.value = parameters.topic ?? "";
      explain.checked = Boolean(parameters.explain);
      run(parameters);
    },
  };
}

// Hits are byte ranges in UTF-8; strings here are UTF-16.
function snippet({ text, hits }) {
  const bytes = new TextEncoder().encode(text);
  const part = (from, to) => new TextDecoder().decode(bytes.subarray(from, to));
  const parts = [];
  let at = 0;
  for (const [from, to] of hits) {
    parts.push(part(at, from), h("mark", {}, part(from, to)));
    at = to;
  }
  parts.push(part(at));
  return parts;
}

// Renders an explanation of any form: numbers with their names, lists as lists.
function explanation(value) {
  if (Array.isArray(value)) return h("ul", {}, value.map((part) => h("li", {}, explanation(part))));
  if (value !== null && typeof value === "object" && Object.values(value).every((part) => part === null || typeof part !== "object" || part.length === 0)) {
    const known = Object.entries(value).filter(([, part]) => part !== null && typeof part !== "object");
    if (known.length < 7) return h("span", { class: "facts" }, known.map(([name, part]) => h("span", {}, `${name.replaceAll("_", " ")} `, h("b", {}, explanation(part)))));
  }
  if (value === null || typeof value !== "object") return h("span", {}, typeof value === "number" ? String(Math.round(value * 1e4) / 1e4) : String(value));
  return h("dl", {}, Object.entries(value).map(([name, part]) => [h("dt", {}, name.replaceAll("_", " ")), h("dd", {}, explanation(part))]));
}
