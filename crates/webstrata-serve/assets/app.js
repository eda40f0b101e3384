// The frame around the views: tabs, keys, colours.

import { get } from "./api.js";
import { h, say } from "./dom.js";
import { links } from "./links.js";
import { page } from "./page.js";
import { search } from "./search.js";
import { sites } from "./site.js";

const VIEWS = { page, search, sites, links };
const main = document.getElementById("main");
const about = await get("about").catch((error) => {
  say(error.message, true);
  return { data: [], topics: [], methods: [], presets: [] };
});
const shown = {};
let current;

// `#search?q=rain` is the search view with a query.
function route() {
  const [name, query = ""] = location.hash.slice(1).split("?");
  const view = Object.hasOwn(VIEWS, name) ? name : "page";
  const parameters = Object.fromEntries(new URLSearchParams(query));
  if (!shown[view]) shown[view] = VIEWS[view](about);
  if (current !== shown[view]) {
    current = shown[view];
    main.replaceChildren(current.element);
  }
  for (const link of document.querySelectorAll("header nav a")) {
    if (link.getAttribute("href") === `#${view}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${view[0].toUpperCase()}${view.slice(1)} – webstrata`;
  current.open?.(parameters);
}

function theme() {
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "light" : "dark";
  current.themed?.();
}

const help = document.getElementById("help");
document.getElementById("theme").addEventListener("click", theme);
document.getElementById("ask").addEventListener("click", () => help.showModal());
addEventListener("hashchange", route);
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  if (event.target.closest?.("input:not([type=range]), textarea, select")) return;
  const number = "1234".indexOf(event.key);
  if (number >= 0) location.hash = Object.keys(VIEWS)[number];
  else if (event.key === "d") theme();
  else if (event.key === "?") help.showModal();
  else if (event.key === "/") location.hash = "search";
  else if (!current.key?.(event)) return;
  event.preventDefault();
});
if (about.version) document.querySelector(".name").append(h("small", {}, ` ${about.version}`));
route();
