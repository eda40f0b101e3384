// The web page in Chromium: every view, keys, accessibility, and pages that attack.
// Run by scripts/browser-test, which starts the servers: node browser.mjs URL-WITH-DATA URL-WITHOUT URL-WITH-DATA-AND-SOURCES [FOLDER-FOR-SCREENSHOTS]

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { availableParallelism, loadavg } from "node:os";
import { chromium } from "playwright-core";

const [full, plain, sources, pictures] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--no-first-run", "--disable-sync"],
});
let failures = 0;
// Timeout of every wait. Tests only wait for conditions, so a busy machine just makes them slower.
const PATIENCE = 180_000;

async function test(name, run, options = {}) {
  if (process.env.ONLY && !name.includes(process.env.ONLY)) return;
  const context = await browser.newContext({ viewport: { width: 1300, height: 850 }, acceptDownloads: true, ...options });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  page.on("dialog", (dialog) => (wrong.push(`dialog: ${dialog.message()}`), dialog.dismiss()));
  try {
    await run(page, wrong);
    assert.deepEqual(wrong, []);
    console.log(`ok ${name}`);
  } catch (error) {
    failures++;
    console.log(`FAILED ${name}: ${error.stack ?? error}`);
    if (wrong.length) console.log(wrong.join("\n"));
  }
  await context.close();
}

// Serious accessibility violations. The library is evaluated as a script of the test, so our policy does not apply to it.
async function accessible(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run(document, { iframes: false, resultTypes: ["violations"] }));
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  assert.deepEqual(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" ")}`), []);
}

async function picture(page, name) {
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png` });
}

// Waits until the page in the frame has been measured and boxes are in place.
const drawn = (page) => page.locator('.box[style*="left"]').first().waitFor();

async function until(what, condition) {
  for (const end = Date.now() + PATIENCE; !(await condition()); await new Promise((resolve) => setTimeout(resolve, 20))) assert.ok(Date.now() < end, what);
}

// Waits until the page has settled: requests made so far are answered before this one, and two frames are drawn.
const settled = (page) =>
  page.evaluate(async () => {
    await fetch("/api/v1/health");
    for (let i = 0; i < 2; i++) await new Promise((resolve) => requestAnimationFrame(resolve));
  });

// Each visit has a new context, so nothing is cached. Other programs can only make a visit longer, so the shortest one says how long it takes.
const times = [];
for (let visit = 0; visit < 8; visit++) {
  await test(`visit ${visit}`, async (page) => {
    await page.goto("about:blank");
    const start = performance.now();
    await page.goto(plain);
    await drawn(page);
    await page.keyboard.press("j");
    await page.locator(".box.chosen").waitFor();
    times.push(Math.round(performance.now() - start));
  });
}

await test("first visit: an example, interactive in a second, light", async (page) => {
  await page.goto(plain);
  await drawn(page);
  await page.waitForLoadState("networkidle");
  const weight = await page.evaluate(() => performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation")).reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0));
  const [fastest] = times.sort((one, two) => one - two);
  console.log(`# first view, until a key chooses a segment: ${fastest} ms (all visits: ${times.join(", ")}), ${weight} bytes`);
  assert.ok(weight < 300_000);
  // On a machine with more work than processors, the time says nothing about the page.
  const busy = loadavg()[0] > availableParallelism();
  if (fastest >= 1000 && busy) console.log(`NOT CHECKED: the first view within a second (the machine is busy: load ${loadavg()[0]})`);
  else assert.ok(fastest < 1000, `${times} ms`);
  assert.match(await page.locator("h1").innerText(), /Ferry line/);
  assert.match(await page.locator(".result pre").innerText(), /first scheduled crossing/);
  await accessible(page);
  await picture(page, "page-light");
});

await test("page view in the dark", async (page) => {
  await page.goto(plain);
  await drawn(page);
  await accessible(page);
  await page.keyboard.press("j");
  await picture(page, "page-dark");
}, { colorScheme: "dark" });

await test("small screens get an outline that opens and closes", async (page) => {
  await page.goto(plain);
  const item = page.locator(".outline details");
  await item.first().waitFor();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 390, `${width} pixels wide`);
  await page.getByRole("button", { name: "Collapse all" }).click();
  assert.equal(await page.locator(".outline details[open]").count(), 0);
  await item.nth(1).locator("summary").click();
  assert.equal(await page.locator(".outline details[open]").count(), 1);
  await accessible(page);
  await picture(page, "page-phone");
}, { viewport: { width: 390, height: 800 }, hasTouch: true });

await test("segments by pointer and by keys", async (page) => {
  await page.goto(plain);
  await drawn(page);
  const box = await page.locator(".box.content").first().boundingBox();
  await page.mouse.move(box.x + 20, box.y + 12);
  await page.locator(".detail dt", { hasText: "bytes" }).waitFor();
  assert.match(await page.locator(".detail").innerText(), /reason/);
  for (const key of ["j", "j", "k"]) await page.keyboard.press(key);
  assert.equal(await page.locator(".box.chosen").count(), 1);
  const chosen = await page.locator(".detail h2").innerText();
  await page.keyboard.press("Enter");
  await page.mouse.move(box.x + 20, box.y + 5);
  assert.equal(await page.locator(".detail h2").innerText(), chosen, "a kept segment stays");
  await page.keyboard.press("o");
  await page.locator(".outline").waitFor();
  await page.keyboard.press("?");
  assert.ok(await page.locator("#help").evaluate((dialog) => dialog.open));
  await accessible(page);
  await page.keyboard.press("Escape");
  for (const [key, view] of [["2", ".search-view"], ["3", ".site-view"], ["4", ".link-view"], ["/", ".search-view"], ["1", ".page-view"]]) {
    await page.keyboard.press(key);
    await page.locator(view).waitFor();
  }
  await page.keyboard.press("d");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
});

await test("all of it with the Tab key", async (page) => {
  await page.goto(plain);
  await drawn(page);
  const seen = new Set();
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press("Tab");
    seen.add(await page.evaluate(() => document.activeElement?.name || document.activeElement?.getAttribute("role") || document.activeElement?.textContent?.trim()));
  }
  for (const name of ["Skip to the view", "Search", "method", "granularity", "theta", "listbox", "Copy", "Download", "Outline"]) assert.ok(seen.has(name), `${name} of ${[...seen]}`);
});

await test("methods side by side, sliders, copy and download", async (page) => {
  await page.goto(plain);
  await drawn(page);
  await page.locator("select[name=other]").selectOption("bf-rulebased");
  await page.locator(".framed").nth(1).waitFor();
  const captions = page.locator(".framed figcaption");
  const before = await captions.nth(0).innerText();
  await page.locator("input[name=granularity]").fill("1");
  await page.waitForFunction((text) => document.querySelector(".framed figcaption").textContent !== text, before);
  const fused = await captions.nth(1).innerText();
  await page.locator("input[name=theta]").fill("0.9");
  await page.waitForFunction((text) => document.querySelectorAll(".framed figcaption")[1]?.textContent !== text, fused);
  await picture(page, "page-methods");
  await page.getByRole("button", { name: "Markdown" }).click();
  assert.match(await page.locator(".result pre").innerText(), /^# Ferry line/m);
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download" }).click()]);
  assert.match(file.suggestedFilename(), /\.md$/);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy" }).click();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /Ferry line/);
});

await test("pasted and opened pages, right to left", async (page) => {
  await page.goto(plain);
  await drawn(page);
  await page.getByText("Paste HTML").click();
  await page.getByLabel("HTML of a page").fill("<title>Pasted</title><p>It has been raining in the valley for three days.");
  await page.waitForFunction(() => document.querySelector("h1").textContent === "Pasted");
  await page.getByLabel("File with a page").setInputFiles({ name: "own.html", mimeType: "text/html", buffer: Buffer.from("<title>Opened</title><p>Some text of a file that was opened here.") });
  await page.waitForFunction(() => document.querySelector("h1").textContent === "Opened");
  await page.getByRole("button", { name: "Arabic page" }).click();
  await page.waitForFunction(() => document.querySelector("iframe")?.contentDocument?.documentElement?.dir === "rtl");
  await picture(page, "page-arabic");
  await accessible(page);
});

await test("search with facets, filters and explanations", async (page) => {
  await page.goto(`${full}#search`);
  await page.getByLabel("Query").fill("lamp");
  await page.keyboard.press("Enter");
  await page.locator(".results li").first().waitFor();
  assert.ok((await page.locator(".results mark").count()) > 0);
  await page.getByLabel("Explain scores").check();
  await page.locator(".results details dl").first().waitFor();
  await page.locator(".facets section", { hasText: "Topics" }).waitFor();
  await accessible(page);
  await page.getByLabel("Query").fill("apple OR lamp");
  await page.keyboard.press("Enter");
  await page.locator(".facets section", { hasText: "Site" }).waitFor();
  await picture(page, "search-light");
  await page.locator(".results a").first().click();
  await page.locator(".outline details").first().waitFor();
  await page.goto(`${full}#search?q=the`);
  const site = page.locator(".facets button", { hasText: "valley.example" });
  await site.click();
  await page.waitForFunction(() => document.querySelector("input[name=q]").value === "the site:valley.example");
  await page.waitForFunction(() => document.querySelectorAll(".results li").length === 7);
  await page.locator(".facets button", { hasText: "Harbour" }).click();
  await page.waitForFunction(() => document.querySelector("select[name=topic]").value === "Harbour");
});

await test("a page of the crawl: its segments, and what to do for the rest", async (page) => {
  await page.goto(`${full}#page`);
  await drawn(page);
  await page.getByLabel("Page of the crawl").selectOption({ index: 1 });
  await page.locator(".note", { hasText: "--sources" }).waitFor();
  await page.locator(".outline details").first().waitFor();
  assert.ok(await page.locator("select[name=method]").isDisabled(), "methods need the page itself");
  await accessible(page);
  await picture(page, "stored-light");
  await page.getByRole("button", { name: "Forum thread" }).click();
  await drawn(page);
  assert.ok(await page.locator(".note").isHidden() && await page.locator("select[name=method]").isEnabled());
});

await test("a page of the crawl with its HTML, if the server has it", async (page) => {
  await page.goto(`${sources}#page`);
  await drawn(page);
  await page.getByLabel("Page of the crawl").selectOption({ index: 1 });
  await page.waitForFunction(() => document.querySelector(".facts").textContent.includes("https://"));
  await drawn(page);
  assert.ok(await page.locator(".note").isHidden());
  const before = await page.locator(".framed figcaption").innerText();
  await page.locator("select[name=method]").selectOption("taggap");
  await page.waitForFunction((text) => document.querySelector(".framed figcaption").textContent !== text, before);
  await accessible(page);
  await picture(page, "stored-sources");
});

const SCREENS = { dark: { colorScheme: "dark" }, phone: { viewport: { width: 390, height: 800 } } };
const fits = async (page) => assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, "wider than the screen");

for (const [kind, options] of Object.entries(SCREENS)) {
  for (const [name, server] of [["stored", full], ["stored-sources", sources]]) {
    await test(`a page of the crawl, ${name}: ${kind}`, async (page) => {
      const { pages } = await (await page.request.get(`${server}api/v1/pages?limit=1`)).json();
      await page.goto(`${server}#page?id=${encodeURIComponent(pages[0].id)}`);
      await page.locator(server === full ? ".note" : ".facts", { hasText: server === full ? "--sources" : "https://" }).waitFor();
      await page.locator('.outline details, .box[style*="left"]').first().waitFor();
      await fits(page);
      await accessible(page);
      await picture(page, `${name}-${kind}`);
    }, options);
  }
}

await test("sites: tree, classes, template", async (page) => {
  await page.goto(`${full}#sites`);
  await page.locator(".tree details").first().waitFor();
  await page.locator(".tree details summary").first().click();
  assert.match(await page.locator(".report").innerText(), /on \d+ of \d+ page/);
  const other = page.locator("nav .list a:not([aria-current])");
  const name = await other.innerText();
  await other.click();
  await page.waitForFunction((wanted) => document.querySelector(".report h2").textContent === wanted, name);
  await page.locator(".report b", { hasText: "template" }).first().waitFor();
  await accessible(page);
  await picture(page, "sites-light");
});

await test("links: ranks and backlinks with strata", async (page) => {
  await page.goto(`${full}#links`);
  await page.locator("table a").first().waitFor();
  await page.getByLabel("Ranks for").selectOption("Lamps");
  await page.waitForFunction(() => document.querySelector("table a").textContent.startsWith("lamps.example"));
  await page.getByLabel("Ranks for").selectOption("Harbour");
  await page.waitForFunction(() => document.querySelector("table a").textContent.startsWith("valley.example"));
  await page.getByRole("link", { name: "valley.example/", exact: true }).click();
  await page.locator(".strata li").first().waitFor();
  assert.match(await page.locator(".link-view").innerText(), /linked from/);
  await accessible(page);
  await picture(page, "links-light");
});

for (const view of ["search?q=the", "sites", "links"]) {
  const name = view.split("?")[0];
  for (const [kind, options] of Object.entries(SCREENS)) {
    await test(`${name}: ${kind}`, async (page) => {
      await page.goto(`${full}#${view}`);
      await page.locator(".results li, .tree details, table td").first().waitFor();
      await fits(page);
      await accessible(page);
      await picture(page, `${name}-${kind}`);
    }, options);
  }
}

await test("views without data say what is missing", async (page) => {
  for (const view of ["search", "sites", "links"]) {
    await page.goto(`${plain}#${view}`);
    await page.locator(".empty", { hasText: "webstrata" }).waitFor();
  }
  await accessible(page);
});

// Pages that attack: whatever they try, nothing runs, nothing is loaded, nothing navigates.
const asked = [];
const evil = createServer((request, response) => {
  const attack = new URL(request.url, "http://localhost").searchParams.get("attack");
  if (attack) return response.setHeader("content-type", "text/html").end(ATTACKS[attack] + TEXT);
  asked.push(request.url);
  response.end("globalThis.loaded = 1");
}).listen(0, "127.0.0.1");
await new Promise((resolve) => evil.once("listening", resolve));
const host = `http://127.0.0.1:${evil.address().port}`;
const TEXT = "<p>It has been raining in the valley for three days, and nobody there can remember when that last happened.</p>";
const ATTACKS = {
  script: `<script>top.pwned=1;alert(1)</script><script src="${host}/s.js"></script>`,
  "event handlers": `<img src=x onerror="top.pwned=1"><body onload="top.pwned=1"><p onmouseover="top.pwned=1">x</p><details open ontoggle="top.pwned=1">x</details>`,
  svg: `<svg onload="top.pwned=1"><script>top.pwned=1</script><image href="${host}/i.svg"/><use href="${host}/u.svg#x"/><foreignObject><img src="${host}/f"></foreignObject><text>svg</text></svg>`,
  mathml: `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=top.pwned=1&gt;"></table></mtext><maction actiontype="statusline#x" xlink:href="javascript:top.pwned=1">click</maction></math>`,
  css: `<style>@import "${host}/c.css";body{background:url(${host}/b)}</style><link rel=stylesheet href="${host}/l.css"><p style="background:url(${host}/p)">x</p>`,
  "meta refresh and base": `<meta http-equiv=refresh content="0;url=${host}/m"><base href="${host}/"><a href=x>x</a>`,
  "data and javascript addresses": `<a href="javascript:top.pwned=1">one</a><a href="data:text/html,<script>top.pwned=1</script>">two</a><iframe src="javascript:top.pwned=1"></iframe><object data="data:text/html,x"></object><embed src="${host}/e"><form action="javascript:top.pwned=1"><button>go</button></form>`,
  "frames and media": `<iframe srcdoc="<script>top.pwned=1</script>"></iframe><iframe src="${host}/f"></iframe><video src="${host}/v" autoplay></video><img srcset="${host}/2x 2x"><picture><source srcset="${host}/src"></picture>`,
  "mutation of markup": `<noscript><p title="</noscript><img src=x onerror=top.pwned=1>"></noscript><textarea></textarea><img src=x onerror=top.pwned=1></textarea><xmp></xmp><img src=x onerror=top.pwned=1></xmp><template><img src=x onerror=top.pwned=1></template>`,
  title: `<title></title><img src=x onerror=top.pwned=1></title><title>"><script>top.pwned=1</script></title>`,
};
// Control: most attacks work without protection; otherwise the tests below would prove nothing.
for (const name of ["script", "event handlers", "svg", "css", "meta refresh and base", "frames and media", "mutation of markup", "title"]) {
  await test(`unguarded, there is an attack by ${name}`, async (page, wrong) => {
    asked.length = 0;
    await page.goto(`${host}/?attack=${encodeURIComponent(name)}`, { waitUntil: "commit" });
    await until("it neither ran nor loaded anything", async () => asked.some((path) => path !== "/favicon.ico") || (await page.evaluate(() => globalThis.pwned).catch(() => undefined)) === 1);
    wrong.length = 0;
  });
}
asked.length = 0;

for (const [name, html] of Object.entries(ATTACKS)) {
  await test(`attack by ${name}`, async (page, wrong) => {
    await page.goto(plain);
    await drawn(page);
    await page.getByText("Paste HTML").click();
    await page.getByLabel("HTML of a page").fill(html + TEXT + html);
    await page.waitForFunction(() => /rain/.test(document.querySelector(".result pre")?.textContent ?? ""));
    for (const tab of ["Markdown", "Metadata", "JSON"]) await page.getByRole("button", { name: tab, exact: true }).click();
    const left = await page.evaluate(() => {
      const inside = document.querySelector("iframe").contentDocument;
      for (const element of inside.querySelectorAll("*")) element.click?.();
      return inside.querySelectorAll("script, img, iframe, object, embed, svg, math, form, style, video, [onload], [onerror], [onclick], [style], [href]:not(link), [src]").length;
    });
    assert.equal(left, 0);
    await page.keyboard.press("j");
    await page.keyboard.press("o");
    await page.locator(".outline").waitFor();
    await settled(page);
    assert.equal(await page.evaluate(() => globalThis.pwned), undefined);
    assert.ok(page.url().startsWith(plain));
    assert.deepEqual(wrong, [], "not even a refusal by the policy: there is nothing to refuse");
  });
}
await test("nothing of an attack was loaded", async () => assert.deepEqual(asked, []));

await test("no frame of another site, and no script in its own", async (page, wrong) => {
  const site = createServer((_, response) => response.setHeader("content-type", "text/html").end(`<iframe src="${plain}"></iframe>`)).listen(0, "127.0.0.1");
  await new Promise((resolve) => site.once("listening", resolve));
  await page.goto(`http://localhost:${site.address().port}/`);
  await until("the browser does not say that it refused the frame", () => wrong.some((text) => /frame-ancestors|X-Frame-Options|Content Security Policy/i.test(text)));
  assert.equal(await page.frames()[1].locator("header").count(), 0);
  site.close();
  wrong.length = 0;
});

await browser.close();
evil.close();
console.log(failures ? `${failures} failed` : process.env.ONLY ? `those with “${process.env.ONLY}” in their names passed` : "all passed");
process.exit(failures ? 1 : 0);
