"use strict";
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const COLORS = ["#5b6b9a", "#8a8a8a", "#c08a2e", "#3f9c93", "#b35d8c", "#a4a04a", "#7d5fb2",
    "#3d7fd0", "#2e9e6b", "#c96f4a", "#8d6bc0", "#d0a24a", "#777777"];
  const TURNS_AT_ONCE = 20, MAX_ENTRIES_AT_ONCE = 400, MAX_BARS = 400, SVG = "http://www.w3.org/2000/svg";
  const number = (n) => n == null ? "?" : Math.round(n).toLocaleString("en-US");
  const words = (name) => name.replaceAll("_", " ");

  /* Text only ever enters the page as text. */
  function el(tag, attributes, ...children) {
    const node = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
    for (const child of children) if (child != null) node.append(child);
    return node;
  }
  function shape(tag, attributes, title) {
    const node = document.createElementNS(SVG, tag);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (title != null) {
      const text = document.createElementNS(SVG, "title");
      text.textContent = title;
      node.append(text);
    }
    return node;
  }
  function chart(into, label, height, low) {
    const svg = shape("svg", { viewBox: "0 0 1000 " + height, preserveAspectRatio: "none", role: "img", "aria-label": label });
    if (low) svg.classList.add("low");
    into.append(svg);
    return svg;
  }
  function table(head, rows) {
    const body = el("tbody");
    for (const row of rows) body.append(el("tr", {}, ...row.map((cell) => el("td", {}, cell))));
    return el("table", {}, el("thead", {}, el("tr", {}, ...head.map((cell) => el("th", { scope: "col" }, cell)))), body);
  }
  /* At most so many of a list, evenly chosen, the last always. */
  function sampled(list, most) {
    if (list.length <= most) return list;
    const out = [];
    for (let i = 0; i < most; i++) out.push(list[Math.floor((i + 1) * list.length / most) - 1]);
    return out;
  }

  function about() {
    const session = data.session;
    $("title").textContent = "Session " + (session.id || "");
    const facts = [["File", session.file], ["Started", session.started], ["Folder", session.cwd],
      ["Written by", session.written_by], ["Requests", number(data.requests.length)], ["Entries", number(data.entries.length)]];
    for (const [name, value] of facts) if (value) $("about").append(el("dt", {}, name), el("dd", {}, String(value)));
    const cut = data.omitted_bytes ? " " + number(data.omitted_bytes) + " bytes of long texts are not in this page." : "";
    $("foot").textContent = "Made by annals from one file; nothing on this page comes from the network." + cut;
  }

  function growth() {
    const shown = sampled(data.requests, MAX_BARS);
    if (!shown.length) { $("growth-chart").append(el("p", {}, "No request to a model stands in the file.")); return; }
    const most = Math.max(1, ...shown.map((r) => r.tokens));
    const svg = chart($("growth-chart"), "Tokens of the input by origin; at most " + number(most), 220);
    $("growth-chart").append(el("p", { class: "who" }, "The tallest bar is " + number(most) + " tokens, estimated from the file."));
    const width = 1000 / shown.length;
    const used = new Set();
    shown.forEach((request, i) => {
      let y = 215;
      request.origins.forEach((tokens, k) => {
        if (!tokens) return;
        used.add(k);
        const height = tokens / most * 200;
        y -= height;
        svg.append(shape("rect", { x: i * width, y, width: Math.max(width - (width > 4 ? 1 : 0), .5), height, fill: COLORS[k % COLORS.length] },
          "request " + request.number + ", turn " + request.turn + ": " + words(data.origins[k]) + " " + number(tokens) + " of " + number(request.tokens)));
      });
    });
    for (const k of [...used].sort((a, b) => a - b)) {
      const swatch = el("span", { class: "swatch" });
      swatch.style.background = COLORS[k % COLORS.length];
      $("legend").append(el("li", {}, swatch, words(data.origins[k])));
    }
    const columns = [...used].sort((a, b) => a - b);
    $("growth-table").append(table(["request", "turn", "all", ...columns.map((k) => words(data.origins[k]))],
      sampled(data.requests, 200).map((r) => [String(r.number), String(r.turn), number(r.tokens), ...columns.map((k) => number(r.origins[k]))])));
  }

  function cache() {
    const causes = Object.fromEntries(data.causes);
    const size = (r) => r.measured ? r.measured.input_tokens : r.tokens;
    const shown = sampled(data.requests, MAX_BARS);
    if (!shown.length) return;
    const most = Math.max(1, ...shown.map(size));
    const svg = chart($("cache-chart"), "Cached and missed tokens, request by request; at most " + number(most), 220);
    $("cache-chart").append(el("p", { class: "who" }, "The tallest bar is " + number(most) + " tokens" +
      (data.requests.some((r) => r.measured) ? ", as the provider measured." : ", estimated from the file.")));
    const width = 1000 / shown.length;
    shown.forEach((r, i) => {
      const cached = r.measured ? r.measured.cached_input_tokens : r.reusable_tokens;
      const missed = r.missed_tokens || 0;
      let y = 215;
      for (const [kind, tokens] of [["cached", cached], ["missed", missed], ["fresh", Math.max(0, size(r) - cached - missed)]]) {
        const height = tokens / most * 200;
        y -= height;
        svg.append(shape("rect", { class: kind, x: i * width, y, width: Math.max(width - (width > 4 ? 1 : 0), .5), height },
          "request " + r.number + ": " + kind + " " + number(tokens) + " of " + number(size(r)) + " (" + causes[r.cause] + ")"));
      }
    });
    const sum = (f) => data.requests.reduce((all, r) => all + (f(r) || 0), 0);
    $("cache-sum").textContent = number(data.requests.length) + " requests, " + number(sum(size)) + " tokens in, " +
      number(sum((r) => r.measured && r.measured.cached_input_tokens)) + " from the cache, " + number(sum((r) => r.missed_tokens)) + " missed.";
    const odd = data.requests.filter((r) => r.missed_tokens || (r.divergence && r.cause !== "first_request"));
    for (const r of odd.slice(0, 100)) {
      const box = el("div", { class: "miss" }, el("strong", {}, "Request " + r.number + ": " + causes[r.cause]));
      if (r.missed_tokens) box.append(el("div", {}, "missed about " + number(r.missed_tokens) + " tokens"));
      const d = r.divergence;
      if (d) {
        const brief = (b) => b ? words(b.origin) + ", about " + number(b.tokens) + " tokens" + (b.line ? ", line " + b.line : "") : "nothing";
        box.append(el("div", {}, "item " + d.item_idx + " differs, at byte " + number(d.byte_offset) + ": before " + brief(d.before) + "; now " + brief(d.now)));
      }
      for (const c of r.settings_changed) box.append(el("div", {}, words(c.setting) + ": " + c.before + " → " + c.now));
      $("misses").append(box);
    }
    if (odd.length > 100) $("misses").append(el("p", {}, number(odd.length - 100) + " more are in the data of the page."));
  }

  /* Pauses are shown shortened, with a line where one was: else a night would hide the day. */
  const MAX_PAUSE_MS = 30000;
  function timeline() {
    const entries = sampled(data.entries, 1000);
    if (!entries.length) return;
    let before = null, at = 0;
    const places = entries.map((e) => {
      const now = Date.parse(e.timestamp);
      const pause = before != null && now > before ? now - before : 0;
      if (Number.isFinite(now)) before = now;
      at += Math.min(pause, MAX_PAUSE_MS);
      return { at, pause };
    });
    const svg = chart($("timeline-chart"), "When something was said, done and told; pauses over half a minute are shortened", 70, true);
    const kind = { user: "words", assistant: "words", reasoning: "words", call: "tool", output: "tool", context: "told", compaction: "cut", aborted: "cut" };
    const row = { words: 4, tool: 26, told: 48, cut: 4 };
    const x = (ms) => 4 + (at ? ms / at : 0) * 988;
    entries.forEach((e, i) => {
      const { at: here, pause } = places[i];
      if (pause > MAX_PAUSE_MS) {
        svg.append(shape("line", { class: "pause", x1: x(here - MAX_PAUSE_MS / 2), x2: x(here - MAX_PAUSE_MS / 2), y1: 0, y2: 70 },
          "a pause of " + number(pause / 60000) + " min"));
      }
      const k = kind[e.kind] || "told";
      svg.append(shape("rect", { class: k, x: x(here), y: row[k], width: 3, height: k === "cut" ? 62 : 18 },
        "turn " + e.turn + ", " + words(e.kind) + (e.name ? " " + e.name : "") + ", " + e.timestamp));
    });
  }

  function lines(into, change) {
    if (change.lines) {
      for (const line of change.lines) {
        if (line.change === "kept") continue;
        into.append(el("span", { class: line.change === "added" ? "add" : "del" }, (line.change === "added" ? "+ " : "- ") + line.text + "\n"));
      }
      return;
    }
    const text = (v) => typeof v === "string" ? v : JSON.stringify(v);
    if (change.before != null) into.append(el("span", { class: "del" }, "- " + text(change.before) + "\n"));
    if (change.after != null) into.append(el("span", { class: "add" }, "+ " + text(change.after) + "\n"));
  }
  function state() {
    if (!data.state_changes.length) { $("changes").append(el("p", {}, "No record of it stands in the file.")); return; }
    for (const change of data.state_changes.slice(0, 500)) {
      const box = el("details", { class: "change" });
      box.append(el("summary", {}, (change.turn ? "turn " + change.turn : "before the first turn") + ", line " + change.line + ": " +
        (change.is_full ? "everything was told" : "changes") + ", " + change.changes.length + (change.changes.length === 1 ? " member" : " members")));
      box.addEventListener("toggle", () => {
        if (!box.open || box.dataset.drawn) return;
        box.dataset.drawn = "yes";
        for (const field of change.changes) {
          const pre = el("pre");
          lines(pre, field);
          box.append(el("div", { class: "path" }, field.path), pre);
        }
      });
      if (!change.is_full) box.open = true;
      $("changes").append(box);
    }
  }

  const FOLDED = { context: 1, output: 1, compaction: 1, reasoning: 1 };
  function entry(e) {
    /* An output's name is the id of its call, which tells a person nothing. */
    const name = words(e.kind) + (e.name && e.kind !== "output" ? " " + e.name : "");
    const size = ", " + number(e.bytes) + " bytes" + (e.is_cut ? ", cut" : "");
    const box = el("div", { class: "entry " + e.kind });
    if (FOLDED[e.kind] || (e.kind === "call" && e.text.length > 300)) {
      const fold = el("details", {}, el("summary", {}, name + size));
      fold.addEventListener("toggle", () => {
        if (fold.open && !fold.dataset.drawn) { fold.dataset.drawn = "yes"; fold.append(el("pre", {}, e.text)); }
      });
      box.append(fold);
    } else {
      box.append(el("div", { class: "who" }, name + " · line " + e.line + " · " + e.timestamp), el(e.kind === "call" ? "pre" : "div", { class: "text" }, e.text));
    }
    return box;
  }
  const talk = { at: 0, list: data.entries };
  function draw() {
    const into = $("talk");
    let turns = 0, entries = 0, section = null, turn = null;
    while (talk.at < talk.list.length && entries < MAX_ENTRIES_AT_ONCE) {
      const e = talk.list[talk.at];
      if (!$("injected").checked && e.kind === "context") { talk.at += 1; continue; }
      if (e.turn !== turn) {
        if (turns === TURNS_AT_ONCE) break;
        turns += 1;
        turn = e.turn;
        section = el("section", { class: "turn", tabindex: "-1", "aria-label": turn ? "turn " + turn : "before the first turn" }, el("h3", {}, turn ? "Turn " + turn : "Before the first turn"));
        into.append(section);
      }
      section.append(entry(e));
      entries += 1;
      talk.at += 1;
    }
    $("more").hidden = talk.at >= talk.list.length;
  }
  function again() {
    const wanted = $("find").value.trim().toLowerCase();
    talk.list = wanted ? data.entries.filter((e) => e.text.toLowerCase().includes(wanted)) : data.entries;
    $("found").textContent = wanted ? number(talk.list.length) + " entries" : "";
    talk.at = 0;
    $("talk").replaceChildren();
    draw();
  }
  about(); growth(); cache(); timeline(); state(); draw();
  /* Whoever reads with keys goes on where the new turns begin. */
  $("more").addEventListener("click", () => {
    const last = $("talk").lastElementChild;
    draw();
    const next = last ? last.nextElementSibling : $("talk").firstElementChild;
    if (next) next.focus();
  });
  $("injected").addEventListener("change", again);
  let waiting = 0;
  $("find").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(again, 200); });
  document.documentElement.dataset.ready = "yes";
})();
