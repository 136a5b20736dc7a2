import { type DocumentLook, deliveredLook, documentShades } from "#shared/brand/document-look.ts";
import { direction, isolateRightToLeft, language } from "#shared/language.ts";
import type { Organisation } from "#shared/organisation.ts";
import { markupOfWords, textOfWords, type Words } from "./email-texts.ts";
import { html, type Markup } from "./html.ts";

/** A part of an email: a paragraph, typed text, rows of label and value, a link, or a remark in small print. */
export type Block =
  | { readonly kind: "text" | "typed" | "small"; readonly text: Words }
  | {
      readonly kind: "rows";
      readonly rows: readonly (readonly [label: string, value: string])[];
      readonly total?: string;
    }
  | { readonly kind: "link"; readonly label: string; readonly url: string };

/** A paragraph of our own. */
export const paragraph = (text: Words): Block => ({ kind: "text", text });
/** What somebody typed, in whatever script: it runs its own way. */
export const typed = (text: string): Block => ({ kind: "typed", text });
/** A paragraph in small type. */
export const remark = (text: Words): Block => ({ kind: "small", text });

const [start, end] = direction === "ltr" ? ["left", "right"] : ["right", "left"];

/** The brand's colours, light and dark. */
function styleOf({ colours, isPlain }: DocumentLook): string {
  const { night, ...day } = documentShades(colours);
  const lines = isPlain ? "" : `border-top:4px solid ${day.secondBright};border-bottom:4px solid ${day.link};`;
  return `
:root{color-scheme:light dark;supported-color-schemes:light dark}
body{margin:0;padding:0;background:#F6F7F2;color:${day.ink};font:16px/1.6 Figtree,system-ui,-apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif;-webkit-text-size-adjust:100%}
.sheet{max-width:600px;margin:24px auto;background:#fff;border:1px solid #DFE3D9;border-radius:10px;overflow:hidden}
.head{background:${day.ground};color:#fff;padding:20px 28px;${lines}font-size:18px;font-weight:700}
.body{padding:24px 28px 8px}
h1{margin:0 0 16px;font-size:24px;line-height:1.25;color:${day.ink}}
p{margin:0 0 16px;overflow-wrap:anywhere;white-space:pre-line}
dl{margin:0 0 20px;border-top:1px solid #DFE3D9}
dl div{padding:10px 0;border-bottom:1px solid #DFE3D9;overflow:hidden}
dt{float:${start};max-width:62%;overflow-wrap:anywhere}
dd{margin:0;padding-${start}:12px;text-align:${end};font-weight:600;overflow:hidden;overflow-wrap:anywhere}
.total dt,.total dd{font-weight:700;font-size:18px}
.press{display:inline-block;background:${day.ground};color:#fff;text-decoration:none;font-weight:700;padding:12px 22px;border-radius:6px}
.small{font-size:14px;color:${day.muted}}
.foot{padding:18px 28px 22px;background:#EDF0E8;font-size:14px;line-height:1.5;color:${day.muted}}
.foot strong{color:${day.ink}}
a{color:${day.link}}
@media (max-width:480px){.sheet{margin:0;border-width:0;border-radius:0}.head,.body,.foot{padding-left:18px;padding-right:18px}}
@media (prefers-color-scheme:dark){
body{background:${night.bg};color:${night.ink}}
.sheet{background:${night.surface};border-color:${night.line}}
.head{background:${night.deep}}
h1,.foot strong{color:${night.ink}}
dl,dl div{border-color:${night.line}}
.press{background:${night.solid};color:${night.solidInk}}
.small,.foot{color:${night.muted}}
.foot{background:${night.deep}}
a{color:${night.link}}
}`;
}

/** The logo travels with the email: programs for mail load nothing from elsewhere without asking. */
export const LOGO_ID = "logo@almoner";
const LOGO_HEIGHT = 44;

function headMarkup(name: string, { logo }: DocumentLook): Markup {
  if (logo === null) return html`${name}`;
  return html`<img src="cid:${LOGO_ID}" alt="${logo.words || name}" height="${String(LOGO_HEIGHT)}" style="display:block;height:${String(LOGO_HEIGHT)}px;max-width:100%;object-fit:contain;object-position:left">`;
}

/** The two bodies with the same content: plain text, and HTML without pictures or scripts. */
export function layOutEmail(
  organisation: Organisation,
  { title, blocks, look = deliveredLook }: { title: Words; blocks: readonly Block[]; look?: DocumentLook | undefined },
): { text: string; html: string } {
  const { name, abn, address, phone, email } = organisation;
  const foot = [abn === "" ? "" : `ABN ${abn}`, address, `Phone ${phone}`].filter(Boolean);
  const page = html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${textOfWords(title)}</title>
<style>${{ markup: styleOf(look) }}</style>
</head>
<body>
<div class="sheet">
<div class="head">${headMarkup(name, look)}</div>
<main class="body">
<h1${ownDirection(title)}>${markupOfWords(title)}</h1>
${blocks.map(blockMarkup)}
</main>
<footer class="foot"><strong>${name}</strong><br>${foot.map((line) => html`${line}<br>`)}<a href="mailto:${email}">${email}</a></footer>
</div>
</body>
</html>
`;
  const text = [textOfWords(title), ...blocks.map(blockText), `-- \n${[name, ...foot, email].join("\n")}`].join("\n\n");
  return { text: `${text}\n`, html: page.markup };
}

/** Staff write in whatever script: their words run their own way. */
const ownDirection = (words: Words) => typeof words !== "string" && html` dir="auto"`;

function blockMarkup(block: Block): Markup {
  switch (block.kind) {
    case "text":
      return html`<p${ownDirection(block.text)}>${markupOfWords(block.text)}</p>\n`;
    case "typed":
      return html`<p dir="auto">${markupOfWords(block.text)}</p>\n`;
    case "small":
      return html`<p class="small"${ownDirection(block.text)}>${markupOfWords(block.text)}</p>\n`;
    case "link":
      return html`<p><a class="press" href="${block.url}">${block.label}</a></p>\n`;
    case "rows":
      return html`<dl>
${block.rows.map(([label, value]) => html`<div><dt><bdi>${label}</bdi></dt><dd><bdi>${value}</bdi></dd></div>\n`)}${
  block.total !== undefined && html`<div class="total"><dt>Total</dt><dd>${block.total}</dd></div>\n`
}</dl>
`;
  }
}

function blockText(block: Block): string {
  switch (block.kind) {
    case "text":
    case "typed":
    case "small":
      return textOfWords(block.text);
    case "link":
      return `${block.label}:\n${block.url}`;
    case "rows":
      return [
        ...block.rows.map(([label, value]) => `${isolateRightToLeft(label)}: ${isolateRightToLeft(value)}`),
        ...(block.total === undefined ? [] : [`Total: ${block.total}`]),
      ].join("\n");
  }
}
