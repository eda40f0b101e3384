// Links: ranks overall or by topic, and the pages that link to a page with the stratum of the link.

import { get } from "./api.js";
import { count, h, say } from "./dom.js";

// Label of a column of ranks. Ranks without topics have a single column of any name.
export const ranking = (topic, topics) => (topic === "*" || topics.length === 1 ? "all pages" : topic);

export function links(about) {
  const any = about.graph || about.topics.length > 0;
  const topic = h("select", { name: "topic" }, about.topics.map((value) => h("option", { value }, ranking(value, about.topics))));
  const page = h("input", { type: "text", name: "page", "aria-label": "Address of a page", placeholder: "https://example.org/" });
  const ranks = h("section", { "aria-label": "Ranks" });
  const back = h("section", { "aria-label": "Backlinks" });
  const empty = h("p", { class: "empty" }, any ? "" : "There are no links here. Make a graph with `webstrata graph build` and ranks with `webstrata rank pagerank --out ranks.tsv`, and start `webstrata serve` with their folder.");
  const ask = h("form", { class: "row", onsubmit: (event) => { event.preventDefault(); location.hash = `links?page=${encodeURIComponent(page.value)}`; } }, page, h("button", {}, "Backlinks"));
  const element = h("div", { class: "link-view" }, h("h1", {}, "Links"), empty, h("div", { class: "columns" }, about.topics.length > 0 && h("div", {}, about.topics.length > 1 && h("label", { class: "row" }, "Ranks for ", topic), ranks), about.graph && h("div", {}, ask, back)));
  topic.addEventListener("change", () => drawRanks());

  async function drawRanks() {
    try {
      const found = await get("rank", { topic: topic.value, limit: 50 });
      // Pages that a topic does not reach have no rank there.
      const ranked = found.pages.filter((row) => row.rank > 0);
      const most = Math.max(...ranked.map((row) => row.rank), 1e-30);
      ranks.replaceChildren(
        h("table", {}, h("caption", {}, "Highest ranks"), h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "#"), h("th", { scope: "col" }, "Page"), h("th", { scope: "col" }, "Rank"))), h("tbody", {}, ranked.map((row) => h("tr", {}, h("td", { class: "number" }, row.position), h("td", {}, name(row.page)), h("td", { class: "number" }, row.rank.toPrecision(3), h("meter", { min: 0, max: most, value: row.rank, "aria-label": "rank" })))))),
      );
    } catch (error) {
      say(error.message, true);
    }
  }

  const name = (address) => (about.graph ? h("a", { href: `#links?page=${encodeURIComponent(address)}` }, short(address)) : h("span", {}, short(address)));
  const short = (address) => address.replace(/^https?:\/\//, "");

  async function drawBacklinks(address) {
    page.value = address;
    try {
      const found = await get("backlinks", { page: address, limit: 200 });
      const strata = Object.entries(found.strata).sort((one, two) => two[1] - one[1]);
      back.replaceChildren(
        h("h2", {}, found.page),
        h("p", { class: "facts" }, h("span", {}, `linked from ${count(found.total, "page")}`), Object.entries(found.ranks).filter(([, rank]) => rank > 0).slice(0, 6).map(([topic, rank]) => h("span", {}, `rank for ${ranking(topic, about.topics)}: ${rank.toPrecision(3)}`))),
        h("ul", { class: "strata" }, strata.map(([stratum, pages]) => h("li", {}, h("i", { class: `key ${stratum}` }), ` ${stratum} `, h("meter", { min: 0, max: found.total || 1, value: pages, "aria-label": `links in ${stratum}` }), h("small", {}, ` ${pages}`)))),
        h("ul", { class: "list" }, found.backlinks.map((one) => h("li", {}, name(one.page), h("small", {}, ` ${one.stratum}${one.rank === null ? "" : `, rank ${one.rank.toPrecision(3)}`}`)))),
      );
      say(`linked from ${count(found.total, "page")}`);
    } catch (error) {
      back.replaceChildren(h("p", { class: "empty" }, error.message));
      say(error.message, true);
    }
  }

  let drawn = false;
  return {
    element,
    open({ page: address }) {
      if (about.topics.length > 0 && !drawn) drawRanks();
      drawn = true;
      if (address && about.graph) drawBacklinks(address);
    },
  };
}
