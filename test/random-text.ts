import fc from "fast-check";

type Json = { readonly type: string; readonly [part: string]: unknown };

const words = fc.oneof(
  fc.constantFrom(
    "roof",
    " and ",
    "اردو میں",
    "a & b < c > d",
    '"quoted"',
    "x y",
    "tail ",
    "  two",
    "\u0007\r\n",
    "\ud800",
  ),
  fc.string({ unit: "binary", minLength: 1, maxLength: 12 }),
);
const passage = {
  lang: fc.constantFrom(null, null, null, "ur", "en-AU"),
  dir: fc.constantFrom(null, null, "rtl", "auto"),
};
const attributes = (more: Record<string, fc.Arbitrary<unknown>> = {}) => fc.record({ ...passage, ...more });

const address = fc.constantFrom(
  "/refunds",
  "/a?b=1&c=2#d",
  "https://example.org/?q=%22",
  'https://example.org/"x"',
  "mailto:a@example.org",
  "tel:+6112",
);
const mark = fc.oneof(
  fc.record({ type: fc.constant("link"), attrs: attributes({ href: address }) }),
  fc.record({ type: fc.constant("abbr"), attrs: attributes({ title: fc.constantFrom(null, 'a "b" & <c>') }) }),
  fc.record({
    type: fc.constantFrom("span", "strong", "em", "b", "i", "u", "s", "small", "sub", "sup"),
    attrs: attributes(),
  }),
);
const marks = fc.uniqueArray(mark, { maxLength: 4, selector: ({ type }) => type });

const picture = attributes({
  src: fc.constantFrom("/images/a-1.webp", "/identity/illustrations/homes.svg"),
  alt: fc.constantFrom("", 'a "view" & more', "012", "true"),
  width: fc.constantFrom(null, "640"),
  height: fc.constantFrom(null, "480"),
});
const inline: fc.Arbitrary<Json> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant("text"), text: words, marks }) },
  fc.record({ type: fc.constant("hardBreak"), marks }),
  fc.record({ type: fc.constant("image"), attrs: picture, marks }),
);
const line = fc.array(inline, { maxLength: 4 });

const node = (type: string, content: fc.Arbitrary<readonly Json[]>, attrs = attributes()): fc.Arbitrary<Json> =>
  fc.record({ type: fc.constant(type), attrs, content });

const { block } = fc.letrec<{ block: Json; blocks: readonly Json[]; table: Json }>((tie) => ({
  blocks: fc.array(tie("block"), { minLength: 1, maxLength: 3, depthIdentifier: "text" }),
  block: fc.oneof(
    { maxDepth: 4, depthIdentifier: "text" },
    node("paragraph", line, attributes({ hasTag: fc.boolean() })),
    node("heading", line, attributes({ level: fc.constantFrom(2, 3, 4) })),
    fc.record({ type: fc.constant("rule"), attrs: attributes() }),
    node("figure", fc.tuple(fc.record({ type: fc.constant("picture"), attrs: picture }), node("caption", line))),
    node("bulletList", fc.array(node("listItem", tie("blocks")), { minLength: 1, maxLength: 3 })),
    node(
      "orderedList",
      fc.array(node("listItem", tie("blocks")), { minLength: 1, maxLength: 3 }),
      attributes({ start: fc.constantFrom(null, "0", "1", "7") }),
    ),
    node("quote", tie("blocks")),
    node(
      "definitionList",
      fc.array(fc.oneof(node("term", tie("blocks")), node("definition", tie("blocks"))), {
        minLength: 1,
        maxLength: 3,
      }),
    ),
    tie("table"),
  ),
  table: fc
    .tuple(node("tableCaption", line), fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 }))
    .chain(([caption, rows, columns]) =>
      fc
        .tuple(...Array.from({ length: rows }, (_, row) => rowOf(tie("blocks"), columns, row)))
        .map((content) => ({ type: "tableBox", content: [caption, { type: "table", content }] })),
    ),
}));

/** A row whose first cell may span two columns. */
function rowOf(blocks: fc.Arbitrary<readonly Json[]>, columns: number, row: number): fc.Arbitrary<Json> {
  const section = row === 0 ? fc.constantFrom("thead", "tbody") : fc.constant("tbody");
  return fc.boolean().chain((isWide) => {
    const count = isWide && columns > 1 ? columns - 1 : columns;
    const cells = Array.from({ length: count }, (_, index) => {
      const colspan = fc.constant(index === 0 && count < columns ? 2 : 1);
      return fc.oneof(
        node("tableCell", blocks, attributes({ colspan })),
        node("headerCell", blocks, attributes({ colspan, scope: fc.constantFrom(null, "col", "row") })),
      );
    });
    return node("tableRow", fc.tuple(...cells), attributes({ section }));
  });
}

/** Any text that the editor can hold, as the JSON of its document. */
export const randomText: fc.Arbitrary<Json> = fc
  .array(block, { minLength: 1, maxLength: 4 })
  .map((content) => ({ type: "doc", content }));

const tags = [
  "p",
  "h1",
  "h2",
  "h3",
  "h4",
  "ul",
  "ol",
  "li",
  "blockquote",
  "figure",
  "figcaption",
  "dl",
  "dt",
  "dd",
  "table",
  "caption",
  "thead",
  "tbody",
  "tfoot",
  "tr",
  "th",
  "td",
  "br",
  "hr",
  "strong",
  "em",
  "b",
  "i",
  "u",
  "s",
  "small",
  "sub",
  "sup",
  "abbr",
  "span",
  "a",
  "img",
  "div",
  "font",
  "section",
  "script",
  "style",
];
const attribute = fc.constantFrom(
  "",
  ' lang="ur"',
  ' dir="rtl"',
  ' href="/a"',
  ' href="https://example.org/a b"',
  ' href="javascript:x"',
  ' start="3"',
  ' src="/images/a.webp" alt="12"',
  ' src="https://example.org/a.png"',
  ' colspan="2"',
  ' rowspan="2"',
  ' scope="row"',
  ' title="t"',
  ' style="color: red"',
  ' onclick="x"',
  ' class="y"',
);
const piece = fc.oneof(
  { weight: 2, arbitrary: words },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom(...tags), attribute).map(([tag, more]) => `<${tag}${more}>`) },
  { weight: 2, arbitrary: fc.constantFrom(...tags).map((tag) => `</${tag}>`) },
);

/** HTML with every kind of mistake. */
export const randomHtml: fc.Arbitrary<string> = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(""));
