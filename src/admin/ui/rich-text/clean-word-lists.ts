const level = /mso-list:\s*l\d+\s+level(\d)/i;
const ordered = /^\(?(?:(\d+)|[a-z]{1,4})[.)]/i;

/**
 * Turns Word's lists into nested lists. Word writes each item as a paragraph that names its level, with its number or
 * dot as text.
 */
export function listWordItems(body: Element): void {
  for (const paragraph of [...body.querySelectorAll("p, h1, h2, h3")]) {
    const depth = Number(level.exec(paragraph.getAttribute("data-style") ?? "")?.[1] ?? 0);
    if (depth === 0) continue;
    const sign = takeSign(paragraph);
    const item = body.ownerDocument.createElement("li");
    item.append(...paragraph.childNodes);
    const before = paragraph.previousElementSibling;
    const list = findList(before, depth) ?? createList(paragraph, sign);
    // A list of a deeper level goes into the last item of the list before it.
    if (list.parentElement === null) placeList(list, before, depth, paragraph);
    list.append(item);
    paragraph.remove();
  }
  for (const list of body.querySelectorAll("[data-word-list]")) list.removeAttribute("data-word-list");
}

function takeSign(paragraph: Element): string {
  const marks = [
    ...paragraph.querySelectorAll("[data-style*='mso-list:Ignore' i], [data-style*='mso-list: Ignore' i]"),
  ];
  const sign = marks[0]?.textContent?.trim() ?? "";
  for (const mark of marks) mark.remove();
  return sign;
}

const isWordList = (element: Element | null | undefined): element is Element =>
  element?.hasAttribute("data-word-list") === true;

/** The list of that level at the end of what was built so far, if it is still open. */
function findList(before: Element | null, depth: number): Element | null {
  let list = isWordList(before) ? before : null;
  for (let at = 1; at < depth && list !== null; at += 1) {
    const inner = list.lastElementChild?.lastElementChild;
    list = isWordList(inner) ? inner : null;
  }
  return list;
}

function createList(paragraph: Element, sign: string): Element {
  const number = ordered.exec(sign);
  const list = paragraph.ownerDocument.createElement(number === null ? "ul" : "ol");
  list.setAttribute("data-word-list", "");
  if (number?.[1] !== undefined && number[1] !== "1") list.setAttribute("start", number[1]);
  return list;
}

function placeList(list: Element, before: Element | null, depth: number, paragraph: Element): void {
  let around: Element | null = null;
  for (let at = depth - 1; at > 0 && around === null; at -= 1) around = findList(before, at);
  const item = around?.lastElementChild;
  if (item) item.append(list);
  else paragraph.before(list);
}
