// Sites: the merged tree of their pages, segment classes, and what belongs to the template.

import { get } from "./api.js";
import { count, h, say } from "./dom.js";

export function sites(about) {
  const list = h("ul", { class: "list", "aria-label": "Sites" });
  const report = h("section", { class: "report", "aria-label": "The site", tabindex: -1 });
  const empty = h("p", { class: "empty" }, about.sites ? "" : "There is no site evidence here. Make it with `webstrata site pages/ --out sites`, and start `webstrata serve` with its folder.");
  const element = h("div", { class: "site-view" }, h("h1", {}, "Sites"), empty, h("div", { class: "columns side" }, about.sites && h("nav", { "aria-label": "List of sites" }, list), report));
  let loaded = false;

  async function load() {
    try {
      const found = await get("sites", { limit: 500 });
      list.replaceChildren(...found.map((site) => h("li", {}, h("a", { href: `#sites?name=${encodeURIComponent(site.site)}` }, site.site), h("small", {}, ` ${count(site.pages, "page")}, ${count(site.template_classes, "template class").replace(/classs$/, "classes")}`))));
      return found;
    } catch (error) {
      say(error.message, true);
      return [];
    }
  }

  async function show(name) {
    try {
      const site = await get("site", { name });
      const templates = site.designs.flatMap((design) => design.classes).filter((one) => one.template).length;
      report.replaceChildren(
        h("h2", {}, site.site),
        h("p", { class: "facts" }, h("span", {}, count(site.pages, "page")), h("span", {}, `${count(templates, "class").replace(/classs$/, "classes")} in the template`), h("span", {}, count(site.template_blocks, "template block"))),
        ...site.designs.map((design, number) => [site.designs.length > 1 && h("h3", {}, `Design ${number + 1}: ${count(design.pages, "page")}`), tree(design)]).flat().filter(Boolean),
      );
      for (const link of list.querySelectorAll("a")) {
        if (link.textContent === name) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
      say(`${count(site.designs.reduce((sum, design) => sum + design.classes.length, 0), "class").replace(/classs$/, "classes")} of ${site.site}`);
    } catch (error) {
      say(error.message, true);
    }
  }

  // Classes with their nested classes, as in the merged tree.
  function tree(design) {
    const children = design.classes.map(() => []);
    const roots = [];
    design.classes.forEach((one, number) => (one.within === null || one.within === undefined ? roots : children[one.within] ?? roots).push(number));
    const items = (numbers) => h("ul", { class: "tree" }, numbers.map((number) => h("li", {}, item(design.classes[number], design.pages), children[number].length > 0 && items(children[number]))));
    return items(roots);
  }

  function item(one, pages) {
    const share = Math.round((one.pages / Math.max(pages, 1)) * 100);
    return h(
      "details",
      { class: `item ${one.template ? "boilerplate" : "body content"}` },
      h("summary", {}, h("b", {}, one.template ? "template" : "content"), " ", h("code", {}, one.path.slice(-3).join(" › ") || one.label), h("small", {}, ` on ${one.pages} of ${count(pages, "page")}`), h("meter", { min: 0, max: 100, value: share, "aria-label": "share of pages" })),
      h("dl", {}, h("dt", {}, "same text on"), h("dd", {}, `${Math.round(one.constancy * 100)}% of its pages`), h("dt", {}, "words"), h("dd", {}, one.words.toFixed(1)), h("dt", {}, "in links"), h("dd", {}, `${Math.round(one.linked * 100)}%`), h("dt", {}, "path"), h("dd", {}, h("code", {}, one.label))),
      h("ul", { class: "texts" }, one.texts.slice(0, 5).map((text) => h("li", { dir: "auto" }, text))),
    );
  }

  return {
    element,
    async open({ name }) {
      if (!about.sites) return;
      const found = loaded ? [] : await load();
      loaded = true;
      if (name) show(name);
      else if (!report.childElementCount && found.length) show(found[0].site);
    },
  };
}
