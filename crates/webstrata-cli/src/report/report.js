// Links the views of the report: what is under the pointer in one is highlighted in all. Everything is read from the
// document, and text is only ever set as text.
'use strict';
(() => {
  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
  const id = (name) => document.getElementById(name);
  const make = (name, className = '', text = '') => Object.assign(document.createElement(name), { className, textContent: text });
  const root = document.documentElement;
  const [profile, log, panel, help] = ['profile', 'log', 'panel', 'help'].map(id);

  // The text: pieces that no method divides, in rows, in chunks; the bars of their blocks; where they are in the profile.
  const pieces = all('.p', log);
  const numbers = new Map(pieces.map((piece, number) => [piece, number]));
  const chunks = all('.chunk', log);
  const bars = all('.d', log);
  const blocks = []; // for each piece, the number of its block
  const firsts = []; // for each block, the number of its first piece
  pieces.forEach((piece, number) => {
    if (piece.classList.contains('b')) firsts.push(number);
    blocks.push(firsts.length - 1);
  });
  const x = profile.dataset.x.split(' ').map(Number);
  const length = x[x.length - 1];

  // The methods: for each segment, its line in the list and its first piece.
  const methods = all('ol[data-method]').map((list) => {
    const lines = Array.from(list.children);
    return { name: list.dataset.method, lines, starts: lines.map((line) => Number(line.dataset.p)) };
  });
  const facts = (method, number) => {
    const [role, score, words, linked, density, bytes, path, why] = methods[method].lines[number].textContent.split('\t');
    return { role, score, words, linked, density, bytes, path, why };
  };
  const begin = (method, number) => methods[method].starts[number];
  const end = (method, number) => methods[method].starts[number + 1] ?? pieces.length;

  // The last of `count` numbers that satisfies a predicate true up to some point; 0 if none does.
  const last = (count, holds) => {
    let [low, high] = [0, count];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (holds(middle)) low = middle;
      else high = middle;
    }
    return low;
  };
  const find = (starts, at) => last(starts.length, (number) => starts[number] <= at);
  const at = (method, piece) => ({ method, number: find(methods[method].starts, piece) });

  let shown = 0; // the method of the text
  let headings = all('.h', log);
  let stop = null; // the heading at which the tab key stops
  let current = null; // the segment in the panel
  let pinned = null; // its heading, if it is pinned
  let lit = []; // highlighted elements

  // ---- The segment under the pointer
  const plots = all('.strip:not(.shared) svg', profile);
  const mark = (from, to) => {
    for (const element of lit) element.classList.remove('on');
    lit = pieces.slice(from, to).concat(from < to ? bars.slice(blocks[from], blocks[to - 1] + 1) : []);
    for (const element of lit) element.classList.add('on');
    for (const here of all('.here', profile)) {
      here.setAttribute('x', x[from]);
      here.setAttribute('width', x[to] - x[from]);
    }
  };
  const show = ({ method, number }) => {
    if (current && current.method === method && current.number === number) return;
    current = { method, number };
    const [from, to, fact] = [begin(method, number), end(method, number), facts(method, number)];
    mark(from, to);
    const list = make('dl');
    const add = (name, value, className) => list.append(make('dt', '', name), make('dd', className, value));
    add('verdict', `${fact.score === 'score 0.00' ? 'not content' : 'content'}, ${fact.score}`);
    add('length', `${fact.words}, ${fact.linked}`);
    add('density', fact.density);
    add('blocks', blocks[to - 1] - blocks[from] + 1);
    add('gap before', pieces[from].dataset.g ?? pieces[from].closest('.r').querySelector('.g').textContent, 'code');
    add('bytes', fact.bytes.slice('bytes '.length), 'code');
    add('path', fact.path, 'code');
    const why = Object.assign(make('p', 'sub', fact.why.trimEnd()), { id: 'why' });
    const place = `segment ${number + 1} of ${methods[method].lines.length}, ${methods[method].name}`;
    const away = Object.assign(make('button', 'away', 'Close'), { type: 'button' });
    panel.replaceChildren(away, make('h2', fact.role, fact.role), make('p', 'sub', place), list, make('h3', '', 'Why'), why);
    if (methods.length > 1) {
      const others = make('ul');
      others.append(...methods.keys().filter((other) => other !== method).map((other) => compared(other, from, to)));
      panel.append(make('h3', '', 'The same text by other methods'), others);
    }
  };
  // How another method divides the pieces from..to.
  const compared = (method, from, to) => {
    const [first, final] = [at(method, from).number, at(method, to - 1).number];
    const roles = Array.from(new Set(methods[method].lines.slice(first, final + 1).map((line) => line.className)));
    const same = begin(method, first) === from && end(method, final) === to;
    const extent = first < final ? `in ${final - first + 1} segments` : same ? 'the same segment' : 'part of a larger one';
    const item = make('li');
    item.append(...roles.map((role) => make('i', role)), `${methods[method].name}: ${roles.join(', ')}, ${extent}`);
    return item;
  };
  const hint = panel.firstElementChild;
  const forget = () => {
    release();
    mark(0, 0);
    current = null;
    panel.replaceChildren(hint);
  };

  // ---- The text by another method
  const prepare = () => {
    headings.forEach((heading, number) => {
      Object.assign(heading, { type: 'button', dir: 'ltr', tabIndex: -1, ariaPressed: 'false' });
      heading.setAttribute('aria-describedby', 'why');
      heading.dataset.n = number;
    });
    stop = headings[0];
    if (stop) stop.tabIndex = 0;
    root.dataset.shown = methods[shown]?.name;
  };
  const choose = (method) => {
    if (method === shown || !methods[method]) return;
    const piece = current ? begin(current.method, current.number) : 0;
    forget();
    for (const heading of headings) heading.remove();
    shown = method;
    headings = methods[method].starts.map((from, number) => {
      const fact = facts(method, number);
      for (const piece of pieces.slice(from, end(method, number))) {
        piece.className = piece.classList.contains('b') ? `p ${fact.role} b` : `p ${fact.role}`;
        if (!piece.previousElementSibling) piece.parentNode.className = `t ${fact.role}`;
      }
      const inside = pieces[from].previousElementSibling;
      if (inside) pieces[from].parentNode.className = 't mixed';
      const heading = make('button', inside ? `h ${fact.role} in` : `h ${fact.role}`);
      const numbers = `${fact.words} · ${parseFloat(fact.density).toFixed(1)}/line · ${fact.linked}`;
      heading.append(make('b', '', fact.role), ' ', make('span', '', numbers), ' ', make('span', 'y', fact.why));
      pieces[from].before(heading);
      return heading;
    });
    all('input[name="method"]').forEach((input, k) => (input.checked = k === method));
    prepare();
    if (pieces.length) show(at(method, piece));
  };

  // ---- Going from segment to segment
  const bring = (element) => {
    const { top } = element.getBoundingClientRect();
    const floor = (getComputedStyle(panel).position === 'fixed' ? 0.55 : 0.75) * innerHeight;
    const inSight = top > profile.getBoundingClientRect().bottom + 40 && top < floor;
    if (!inSight) element.scrollIntoView({ block: 'center' });
  };
  const selected = () => (current ? at(shown, begin(current.method, current.number)).number : -1);
  const go = (number) => {
    const heading = headings[Math.max(0, Math.min(number, headings.length - 1))];
    if (!heading) return;
    release();
    stop.tabIndex = -1;
    stop = heading;
    stop.tabIndex = 0;
    heading.focus({ preventScroll: true });
    show({ method: shown, number: Number(heading.dataset.n) });
    bring(heading);
  };
  const release = () => {
    if (!pinned) return;
    pinned.ariaPressed = 'false';
    pinned = null;
    history.replaceState(null, '', '#');
  };
  const pin = (number) => {
    const again = pinned === headings[number];
    release();
    show({ method: shown, number });
    if (again) return;
    pinned = headings[number];
    pinned.ariaPressed = 'true';
    history.replaceState(null, '', `#${shown + 1}.${number + 1}`);
  };
  // To the next boundary on which the methods differ.
  const difference = () => {
    for (let piece = current ? begin(current.method, current.number) + 1 : 1; piece < pieces.length; piece++) {
      const having = Array.from(methods.keys()).filter((method) => begin(method, at(method, piece).number) === piece);
      if (having.length === 0 || having.length === methods.length) continue;
      if (having.includes(shown)) return go(at(shown, piece).number);
      release();
      show(at(having[0], piece));
      return bring(pieces[piece]);
    }
  };

  const turn = (method) => {
    choose(method);
    go(selected());
  };

  // ---- The profile: the whole page, or the part of a long page around the window
  const SPAN = 1000;
  const closeUps = all('svg.far', profile);
  const band = profile.querySelector('svg.band');
  const view = profile.querySelector('.view');
  let left = 0; // start of the close-up
  let close = length > 1.5 * SPAN;
  const frame = (middle) => {
    left = Math.round(Math.max(0, Math.min(middle - SPAN / 2, length - SPAN)));
    for (const plot of closeUps) {
      plot.setAttribute('viewBox', close ? `${left} 0 ${SPAN} 100` : `0 0 ${length} 100`);
      plot.classList.toggle('far', !close);
    }
  };
  const zoom = () => {
    close = !close && length > SPAN;
    frame(Number(view.getAttribute('x')));
    look();
  };
  const look = () => {
    root.style.setProperty('--top', getComputedStyle(profile).position === 'sticky' ? `${profile.offsetHeight}px` : '0px');
    if (!pieces.length) return;
    const on = (edge, boxes) => boxes[last(boxes.length, (number) => boxes[number].getBoundingClientRect().top <= edge)];
    // By chunks first: measuring a row that is not laid out would make the browser lay it out.
    const pieceAt = (edge) => numbers.get(on(edge, on(edge, chunks).children).querySelector('.p'));
    const [from, to] = [x[pieceAt(profile.getBoundingClientRect().bottom)], x[pieceAt(innerHeight) + 1]];
    view.setAttribute('x', from);
    view.setAttribute('width', Math.max(0, to - from));
    if (close && (from < left || to > left + SPAN)) frame((from + to) / 2);
  };

  // ---- The segment under the pointer: of the text, a bar, a lane or the profile
  const under = (event) => {
    const near = (selector) => event.target instanceof Element && event.target.closest(selector);
    const found = near('.p, .h, .t:not(.mixed), .d, .chunk .ls > *, .plot svg');
    if (!found || !pieces.length) return null;
    if (found.matches('.p')) return at(shown, numbers.get(found));
    if (found.matches('.h')) return { method: shown, number: Number(found.dataset.n) };
    if (found.matches('.t')) return at(shown, numbers.get(found.querySelector('.p')));
    if (found.matches('.d')) return at(shown, firsts[bars.indexOf(found)]);
    if (found.matches('.ls > *')) {
      const method = Array.from(found.parentNode.children).indexOf(found);
      const { number } = at(method, numbers.get(found.closest('.r').querySelector('.p')));
      return { method, number: number + Math.max(0, Array.from(found.children).indexOf(event.target)) };
    }
    const box = found.getBoundingClientRect();
    const part = (event.clientX - box.left) / box.width;
    const piece = Math.min(find(x, close && found !== band ? left + part * SPAN : part * length), pieces.length - 1);
    return at(plots.includes(found) ? plots.indexOf(found) : shown, piece);
  };
  const point = (event) => {
    const found = under(event);
    if (found && !pinned) show(found);
  };
  const click = (event) => {
    if (event.target.closest('.away')) return forget();
    const found = under(event);
    if (!found || String(getSelection())) return; // someone is copying text
    choose(found.method);
    if (!event.target.closest('.t')) go(found.number);
    pin(found.number);
  };

  const theme = () => {
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
  };
  const [next, before, ask] = [() => go(selected() + 1), () => go(selected() - 1), () => help.showModal()];
  const keys = { j: next, ArrowDown: next, k: before, ArrowUp: before, Home: () => go(0), End: () => go(headings.length - 1),
    n: difference, m: () => turn((shown + 1) % methods.length), z: zoom, d: theme, '?': ask, Escape: forget };
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    if (event.target instanceof HTMLInputElement && event.key.startsWith('Arrow')) return; // the radio buttons' own keys
    const action = keys[event.key] ?? (/^[1-9]$/.test(event.key) ? () => turn(Number(event.key) - 1) : null);
    if (!action) return;
    event.preventDefault();
    action();
  });
  document.addEventListener('pointerover', point);
  profile.addEventListener('pointermove', point);
  document.addEventListener('focusin', (event) => event.target.matches('.h') && point(event));
  document.addEventListener('click', click);
  profile.addEventListener('change', (event) => choose(Number(event.target.value)));
  for (const [name, action] of [['theme', theme], ['ask', ask], ['close', () => help.close()]]) id(name).onclick = action;
  addEventListener('scroll', () => requestAnimationFrame(look), { passive: true });
  addEventListener('resize', look);
  addEventListener('beforeprint', () => close && zoom());

  root.classList.add('js');
  prepare();
  if (close) frame(0);
  look();
  const [method, number] = location.hash.slice(1).split('.').map(Number); // as pinning writes it
  if (methods[method - 1]?.lines[number - 1]) {
    choose(method - 1);
    go(number - 1);
    pin(number - 1);
  } else if (pieces.length && getComputedStyle(panel).position === 'sticky') show({ method: 0, number: 0 });
  // What was drawn, for tests.
  const drawn = Math.round(profile.querySelector('use')?.getBBox().width ?? 0);
  root.dataset.drawn = `${bars.length} bars, ${methods.map((method) => method.lines.length).join('+')} segments, ${drawn} wide`;
})();
