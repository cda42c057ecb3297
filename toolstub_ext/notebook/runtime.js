// Answers clicks on every <details class="toolstub"> of the page. All state is in the document, so that the widget
// of a restarted kernel goes on where the one before it stopped. Originals are shown as text, never as markup.

const BAR = "display:flex;flex-wrap:wrap;gap:.4em;align-items:center;font-size:12px;margin:.4em 0";
const BUTTON = "font:inherit;color:inherit;background:rgba(127,127,127,.15);border:1px solid rgba(127,127,127,.4);"
  + "border-radius:3px;padding:.1em .6em;cursor:pointer";
const TEXT = "font-family:var(--jp-code-font-family,monospace);font-size:12px;line-height:1.45;white-space:pre-wrap;"
  + "overflow-wrap:anywhere;max-height:28em;overflow:auto;margin:0;padding:.4em;border:1px solid rgba(127,127,127,.3)";
const PAGE = 16000;
const AGAIN_MS = 1500;

const make = (tag, css, text = "") => {
  const element = document.createElement(tag);
  element.style.cssText = css;
  element.textContent = text;
  return element;
};
const boxOf = element => element?.closest?.("details.toolstub");
const refOf = box => box.querySelector("summary code").textContent.trim();
const paneOf = box => box.querySelector(".toolstub-pane");
const count = number => number.toLocaleString("en-US");

function newPane(box) {
  const pane = make("div", "");
  pane.className = "toolstub-pane";
  const bar = make("div", BAR);
  for (const [go, label] of [["first", "First"], ["back", "Back"], ["next", "Next"], ["last", "Last"]]) {
    const button = make("button", BUTTON, label);
    button.dataset.go = go;
    bar.append(button);
  }
  const where = make("div", "font-size:12px;opacity:.75;margin:.2em 0");
  where.className = "toolstub-where";
  const search = make("input", "font:inherit;color:inherit;background:transparent;border:1px solid "
    + "rgba(127,127,127,.4);border-radius:3px;padding:.1em .4em;flex:1;min-width:12em;max-width:24em");
  search.type = "search";
  search.placeholder = "Search, then Enter";
  search.setAttribute("aria-label", "Search the whole output");
  bar.append(search);
  const hits = make("div", "font-size:12px;margin:.2em 0;max-height:12em;overflow:auto");
  hits.className = "toolstub-hits";
  const text = make("pre", TEXT);
  text.className = "toolstub-text";
  text.tabIndex = 0;
  pane.append(bar, hits, where, text);
  box.querySelector("pre").hidden = true;
  box.append(pane);
  return pane;
}

function showPage(box, page, back) {
  const pane = paneOf(box) || newPane(box);
  pane.dataset.offset = page.offset;
  pane.dataset.next = page.next ?? "";
  pane.dataset.back = JSON.stringify(back);
  const last = page.line + (page.text.match(/\n/g)?.length ?? 0) - (page.text.endsWith("\n") ? 1 : 0);
  pane.querySelector(".toolstub-where").textContent = `lines ${count(page.line)}-${count(last)} of ${count(page.lines)}, `
    + `characters ${count(page.offset)}-${count(page.next ?? page.chars)} of ${count(page.chars)}`;
  const text = pane.querySelector(".toolstub-text");
  text.textContent = page.text;
  text.scrollTop = 0;
  for (const button of pane.querySelectorAll("button[data-go]")) {
    const forward = button.dataset.go === "next" || button.dataset.go === "last";
    button.disabled = forward ? page.next === null : page.offset === 0;
    button.style.opacity = button.disabled ? ".4" : "1";
  }
}

function showHits(box, found) {
  const hits = (paneOf(box) || newPane(box)).querySelector(".toolstub-hits");
  const total = `${found.more ? "at least " : ""}${count(found.total)}`;
  hits.replaceChildren(make("div", "opacity:.75", `${total} found${found.total > found.hits.length ? ", the first are" : ""}`));
  for (const hit of found.hits) {
    const link = make("button", BUTTON + ";display:block;width:100%;text-align:left;margin:2px 0;white-space:nowrap;"
      + "overflow:hidden;text-overflow:ellipsis", `${count(hit.line)}: ${hit.text}`);
    link.dataset.offset = hit.offset;
    hits.append(link);
  }
}

function showNote(box, note) {
  let line = box.querySelector(".toolstub-note");
  if (!line) {
    line = make("div", "font-size:12px;margin:.3em 0");
    line.className = "toolstub-note";
    box.querySelector("summary").after(line);
  }
  line.textContent = note;
}

function initialize({ model }) {
  const token = model.get("token");
  const waiting = new Map();
  let asked = 0;

  // Asked again after a while: the first request of a new kernel may queue behind a running cell, later ones do not.
  const ask = (box, op, details, back = []) => {
    const id = ++asked;
    waiting.set(id, { box, back });
    const send = left => {
      if (!waiting.has(id)) return;
      try {
        model.send({ id, token, op, ref: refOf(box), ...details });
      } catch {  // this kernel is gone; that of another notebook on the page may answer, and then takes the note away
        waiting.delete(id);
        showNote(box, "The kernel is gone. Start it again and run %load_ext toolstub_ext; the output is still stored.");
        return;
      }
      if (left > 0) setTimeout(send, AGAIN_MS, left - 1);
    };
    send(2);
  };
  const turn = (box, go) => {
    const { offset, next, back } = paneOf(box).dataset;
    const before = JSON.parse(back || "[]");
    const here = Number(offset);
    if (go === "first") ask(box, "page", { offset: 0 });
    else if (go === "next") ask(box, "page", { offset: Number(next) }, [...before, here].slice(-1000));
    else if (go === "last") ask(box, "page", { offset: -PAGE }, [...before, here].slice(-1000));
    else ask(box, "page", { offset: before.at(-1) ?? Math.max(0, here - PAGE) }, before.slice(0, -1));
  };
  const onAnswer = answer => {
    const request = waiting.get(answer.id);
    if (!request) return;
    waiting.delete(answer.id);
    const { box, back } = request;
    if (answer.unknown) {
      if (!paneOf(box)) showNote(box, "This kernel's store does not have it; it was stored elsewhere, or collected.");
    } else if (answer.fault) showNote(box, answer.fault);
    else {
      box.querySelector(".toolstub-note")?.remove();
      if (answer.hits) showHits(box, answer);
      else showPage(box, answer, back);
    }
  };
  const open = box => { if (box.open && !paneOf(box)) ask(box, "page", { offset: 0 }); };
  const onToggle = event => { if (event.target.matches?.("details.toolstub")) open(event.target); };
  const onClick = event => {
    const button = event.target.closest?.("details.toolstub .toolstub-pane button");
    if (!button) return;
    const box = boxOf(button);
    if (button.dataset.go) turn(box, button.dataset.go);
    else ask(box, "page", { offset: Number(button.dataset.offset) }, [Number(paneOf(box).dataset.offset)]);
  };
  const onKey = event => {
    const box = boxOf(event.target);
    if (!box || event.target.type !== "search") return;
    event.stopPropagation();
    const query = event.target.value;
    if (event.key === "Enter" && query) ask(box, "search", { query });
    else if (event.key === "Enter") paneOf(box).querySelector(".toolstub-hits").replaceChildren();
  };

  model.on("msg:custom", onAnswer);
  document.addEventListener("toggle", onToggle, true);
  document.addEventListener("click", onClick, true);
  document.addEventListener("keydown", onKey, true);
  document.querySelectorAll("details.toolstub[open]").forEach(open);
  return () => {
    document.removeEventListener("toggle", onToggle, true);
    document.removeEventListener("click", onClick, true);
    document.removeEventListener("keydown", onKey, true);
  };
}

export default { initialize };
