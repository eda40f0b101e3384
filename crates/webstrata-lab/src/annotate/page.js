"use strict";
// The annotation page. Text of annotated pages only ever becomes text nodes (textContent): it is never parsed as markup.

const KEYS = {
  title: "t", heading: "h", body: "b", list: "l", table: "a", code: "o", caption: "p", credit: "r", comment: "m", byline: "y",
  navigation: "n", related: "e", advertisement: "d", footer: "f", legal: "g", form: "i", boilerplate: "x",
};
const $ = (id) => document.getElementById(id);

let set = null; // the list of pages
let at = -1; // number of the page
let page = null; // the page as the server sent it, with current marks
let rows = []; // elements of the blocks
let undo = [], redo = [];
let tool = "content", role = "body";
let focus = 0, anchor = 0; // selected blocks: from anchor to focus
let drag = null; // what a drag paints: { kind, value, from }
let sending = null, dirty = false, unsaved = false;

// A new element with a class and a text.
function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

async function get(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return answer.json();
}

function say(text, failed) {
  $("saved").textContent = text;
  $("saved").className = failed ? "failed" : "";
}

// ---- saving: one request at a time; changes made meanwhile go with the next one ----

// All that an annotator can change.
function marks() {
  return {
    done: page.done, page_type: page.page_type, sure: page.sure, note: page.note,
    marks: page.blocks.map((block) => [block.content, block.role, block.cut]),
  };
}

function save() {
  dirty = true;
  sending ??= send().finally(() => { sending = null; });
  return sending;
}

async function send() {
  while (dirty) {
    dirty = false;
    const [saved, number] = [page, at];
    say("saving …");
    try {
      const answer = await fetch(`page/${number}`, {
        method: "POST", headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ version: page.version, ...marks() }),
      });
      if (!answer.ok) throw new Error((await answer.text()).trim());
      const { version, state } = await answer.json();
      saved.version = version;
      set.pages[number].state = state;
      unsaved = false;
      say("saved");
      document.documentElement.dataset.version = version;
      showProgress();
    } catch (error) {
      unsaved = true;
      say(`not saved: ${error.message}`, true);
      return;
    }
  }
}

// ---- showing ----

function showProgress() {
  const done = set.pages.filter((page) => page.state === "done").length;
  $("bar").max = set.pages.length;
  $("bar").value = done;
  $("count").textContent = `${done} of ${set.pages.length} pages done`;
  [...$("pages").options].forEach((option, number) => {
    const sign = { done: "✓", begun: "…", unreadable: "!" }[set.pages[number].state] ?? "\u2002";
    option.textContent = `${sign} ${set.pages[number].id}`;
  });
  $("pages").value = String(at);
}

function showBlock(number) {
  const block = page.blocks[number], row = rows[number];
  row.classList.toggle("content", block.content);
  row.dataset.role = block.role ?? "";
  row.querySelector(".role").textContent = block.role ?? "";
  row.querySelector(".yes").textContent = block.content ? "✓" : "";
}

// Segments: alternating colours, and a gap above the block that starts one.
function showSegments() {
  let [one, two] = [0, 0];
  page.blocks.forEach((block, number) => {
    if (number > 0) {
      one += block.cut === 1;
      two += block.cut > 0;
    }
    rows[number].dataset.one = one % 2;
    rows[number].dataset.two = two % 2;
    rows[number].dataset.cut = number > 0 ? block.cut : 1;
  });
}

function showSelection() {
  const [from, to] = [Math.min(anchor, focus), Math.max(anchor, focus)];
  rows.forEach((row, number) => {
    row.classList.toggle("selected", number >= from && number <= to);
    row.classList.toggle("focus", number === focus);
  });
}

function showTools() {
  document.querySelectorAll(".tool").forEach((button) => button.setAttribute("aria-checked", String(button.dataset.tool === tool)));
  document.querySelectorAll("#roles button").forEach((button) => {
    button.setAttribute("aria-checked", String(tool === "role" && button.dataset.role === role));
  });
}

function showPage() {
  $("type").value = page.page_type ?? "";
  $("sure").value = page.sure ?? 1;
  $("sure").classList.toggle("unset", page.sure === null);
  $("sure-value").textContent = page.sure === null ? "–" : page.sure.toFixed(1);
  $("note").value = page.note;
  $("done").textContent = page.done ? "Done ✓" : "Done";
  $("done").setAttribute("aria-pressed", String(page.done));
  $("undo").disabled = undo.length === 0;
  $("redo").disabled = redo.length === 0;
  const words = page.blocks.reduce((sum, block) => sum + block.words, 0);
  const kept = page.blocks.reduce((sum, block) => sum + (block.content ? block.words : 0), 0);
  const cuts = (level) => page.blocks.reduce((sum, block, number) => sum + (number === 0 || (block.cut > 0 && block.cut <= level)), 0);
  $("summary").textContent =
    `${page.id} · ${page.blocks.length} blocks, ${words} words, ${kept} of them content · ${cuts(1)} and ${cuts(2)} segments`;
}

function showAll() {
  page.blocks.forEach((_, number) => showBlock(number));
  showSegments();
  showPage();
}

function build() {
  rows = page.blocks.map((block, number) => {
    const row = element("li", `kind-${block.kind}${block.hidden ? " hidden" : ""}`);
    row.dataset.number = number;
    for (const level of [1, 2]) {
      const bar = element("button", `bar bar-${level}`);
      bar.type = "button";
      bar.tabIndex = -1;
      bar.dataset.level = level;
      bar.title = `A segment of level ${level} starts at this block (${level})`;
      row.append(bar);
    }
    const text = element("div", "text", block.text);
    text.dir = "auto";
    const words = `${block.words} ${block.words === 1 ? "word" : "words"}${block.links ? `, ${block.links} linked` : ""}`;
    const facts = element("div", "facts", `${words}${block.hidden ? ", hidden" : ""} · ${block.path}`);
    facts.title = facts.textContent;
    const marked = element("div", "marks");
    marked.append(element("span", "role"), element("span", "yes"));
    row.append(text, facts, marked);
    return row;
  });
  $("blocks").replaceChildren(...rows);
}

// ---- changing ----

// Changes marks, remembers how to undo it, shows and saves it. A drag is undone as a whole.
function edit(make) {
  const before = JSON.stringify(marks());
  make();
  if (JSON.stringify(marks()) === before) return;
  if (!drag?.begun) undo.push(before);
  if (drag) drag.begun = true;
  if (undo.length > 500) undo.shift();
  redo = [];
  showAll();
  save();
}

function travel(from, to) {
  if (from.length === 0) return;
  to.push(JSON.stringify(marks()));
  const { marks: blocks, ...rest } = JSON.parse(from.pop());
  Object.assign(page, rest);
  blocks.forEach(([content, role, cut], number) => Object.assign(page.blocks[number], { content, role, cut }));
  showAll();
  save();
}

function selected() {
  const [from, to] = [Math.min(anchor, focus), Math.max(anchor, focus)];
  return page.blocks.slice(from, to + 1);
}

function mark(kind, value, from, to) {
  edit(() => {
    for (const block of page.blocks.slice(Math.min(from, to), Math.max(from, to) + 1)) block[kind] = value;
  });
}

function cut(number, level) {
  if (number > 0) {
    edit(() => {
      const block = page.blocks[number];
      if (level === 1) block.cut = block.cut === 1 ? 0 : 1;
      else if (level === 2) block.cut = block.cut === 0 ? 2 : 0;
      else block.cut = 0;
    });
  }
}

function choose(next) {
  if (page.blocks.length === 0) return;
  focus = Math.max(0, Math.min(page.blocks.length - 1, next));
  rows[focus].scrollIntoView({ block: "nearest" });
}

async function open(number) {
  if (number < 0 || number >= set.pages.length) return;
  await sending;
  if (unsaved) await save(); // once more; who leaves the page would lose the marks
  if (unsaved) return;
  try {
    page = await get(`page/${number}`);
  } catch (error) {
    say(error.message, true);
    return;
  }
  at = number;
  [undo, redo, focus, anchor, drag] = [[], [], 0, 0, null];
  location.hash = String(number + 1);
  $("title").textContent = page.title || page.id;
  $("start").textContent = page.start === "empty" ? "started empty" : `started from the prediction of ${page.start}`;
  $("start").className = `badge start-${page.start}`;
  document.documentElement.dataset.start = page.start;
  document.documentElement.dataset.version = page.version;
  build();
  showAll();
  showSelection();
  showProgress();
  say(page.version === 0 ? "not marked yet" : "saved");
  scrollTo(0, 0);
  document.documentElement.dataset.shown = `${page.blocks.length} blocks`;
}

function openNext() {
  const order = set.pages.map((_, number) => (at + 1 + number) % set.pages.length);
  const next = order.find((number) => set.pages[number].state !== "done" && number !== at);
  if (next === undefined) say("all pages are done");
  else return open(next);
}

async function finish() {
  const wasDone = page.done;
  edit(() => { page.done = !wasDone; });
  if (!wasDone) {
    await sending;
    if (!unsaved && set.pages[at].state === "done") await openNext();
  }
}

// ---- pointing ----

$("blocks").addEventListener("pointerdown", (event) => {
  const row = event.target.closest("li");
  if (!row || event.button !== 0) return;
  const number = Number(row.dataset.number);
  const bar = event.target.closest(".bar");
  event.preventDefault();
  document.activeElement?.blur();
  if (bar) {
    [focus, anchor] = [number, number];
    cut(number, Number(bar.dataset.level));
    showSelection();
    return;
  }
  const block = page.blocks[number];
  if (event.shiftKey) {
    // From the last block that was marked, with its mark.
    const value = page.blocks[anchor][tool];
    focus = number;
    mark(tool, value, anchor, number);
    showSelection();
    return;
  }
  const value = tool === "content" ? !block.content : block.role === role ? null : role;
  [focus, anchor] = [number, number];
  drag = { kind: tool, value, from: number, begun: false };
  mark(tool, value, number, number);
  showSelection();
});

$("blocks").addEventListener("pointerover", (event) => {
  const row = drag && event.target.closest("li");
  if (!row || event.buttons !== 1) return;
  focus = Number(row.dataset.number);
  mark(drag.kind, drag.value, drag.from, focus);
  showSelection();
});

addEventListener("pointerup", () => { drag = null; });

// ---- keys ----

addEventListener("keydown", (event) => {
  if (!page || event.altKey || event.isComposing || event.target.matches("textarea, input, select")) return;
  const key = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) {
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) travel(redo, undo);
    else travel(undo, redo);
    return;
  }
  const named = Object.keys(KEYS).find((name) => KEYS[name] === key);
  const from = anchor, to = focus;
  const actions = {
    arrowdown: () => { choose(focus + 1); if (!event.shiftKey) anchor = focus; },
    arrowup: () => { choose(focus - 1); if (!event.shiftKey) anchor = focus; },
    " ": () => { if (page.blocks.length) mark("content", !selected().every((block) => block.content), from, to); },
    delete: () => mark("role", null, from, to),
    backspace: () => mark("role", null, from, to),
    1: () => cut(Math.min(from, to), 1),
    2: () => cut(Math.min(from, to), 2),
    0: () => cut(Math.min(from, to), 0),
    ",": () => open(at - 1),
    ".": () => open(at + 1),
    "/": () => openNext(),
    enter: () => finish(),
  };
  const action = named ? () => mark("role", named, from, to) : actions[key];
  if (!action) return;
  event.preventDefault();
  action();
  showSelection();
});

// ---- the side ----

$("previous").onclick = () => open(at - 1);
$("next").onclick = () => open(at + 1);
$("open").onclick = () => openNext();
$("done").onclick = () => finish();
$("undo").onclick = () => travel(undo, redo);
$("redo").onclick = () => travel(redo, undo);
$("pages").onchange = () => open(Number($("pages").value));
$("type").onchange = () => edit(() => { page.page_type = $("type").value || null; });
$("sure").onchange = () => edit(() => { page.sure = Number($("sure").value); });
$("note").onchange = () => edit(() => { page.note = $("note").value; });
document.querySelectorAll(".tool").forEach((button) => {
  button.onclick = () => { tool = button.dataset.tool; showTools(); };
});

async function begin() {
  set = await get("pages");
  document.title = `${set.folder} · ${set.annotator} · annotate`;
  for (const name of set.roles) {
    const button = element("button", "", name);
    button.type = "button";
    button.dataset.role = name;
    button.setAttribute("role", "radio");
    if (KEYS[name]) button.append(" ", element("kbd", "", KEYS[name]));
    button.onclick = () => { [tool, role] = ["role", name]; showTools(); };
    $("roles").append(button);
  }
  $("type").append(new Option("not said", ""), ...set.page_types.map((name) => new Option(name, name)));
  $("pages").append(...set.pages.map((_, number) => new Option("", String(number))));
  showTools();
  const wanted = Number(location.hash.slice(1)) - 1;
  const first = set.pages.findIndex((page) => page.state !== "done");
  await open(Number.isInteger(wanted) && set.pages[wanted] ? wanted : Math.max(0, first));
}

begin().catch((error) => say(error.message, true));
