import { isLongRun } from "../long-run.ts";

/** A mark in every hostile text, to find it wherever it goes; `n` is the text's index. */
const mark = (n: number) => `zq${n}`;
export const anyMark = /zq\d+/;
/** Whether an email has a mark outside its links' keys, which are random and may contain anything. */
export const hasMark = (email: string) => anyMark.test(email.replaceAll(/key=[\w.-]+/g, ""));

/** Texts known to break storage, display, emails, logs or parsers, by kind of attack. */
const attacks: Readonly<Record<string, readonly string[]>> = {
  sql: [
    "'; drop table users; --",
    '" or ""="',
    "1) union select password_hash from users --",
    "\\'; select pg_sleep(9); --",
    "$$; delete from donations; $$",
  ],
  markup: [
    '"><img src=x onerror=alert(1)>',
    "<script>alert(1)</script>",
    "</textarea><svg onload=alert(1)>",
    "' onfocus=alert(1) autofocus x='",
    "</script><script>alert(1)//",
    "<!-- --!><b",
    "&lt;b&gt;&amp;amp;&#60;i&#62;",
  ],
  template: [`\${7*7}`, "{{7*7}}", "<%= 7*7 %>", "$& $1 $` $'", "#{7*7}"],
  header: [
    "a\r\nBcc: evil@example.com",
    "a\nSubject: other\n\nbody",
    "a%0d%0aBcc: evil@example.com",
    "=?utf-8?q?=0d=0aBcc:_evil=40example.com?=",
    'Amina" <evil@example.com>, "x',
    "a\u2028Bcc: evil@example.com",
  ],
  formula: ["=cmd|' /C calc'!A0", "+1+1", "-1+1", "@SUM(1+1)", "\t=1+1"],
  path: ["../../etc/passwd", "..\\..\\windows\\win.ini", "%2e%2e%2f%00", "file:///etc/passwd"],
  control: ["a\u0000b", "a\u0007b\u001b[31mred", "\u0085\u009b31m", "\ud800a", "a\udfffb"],
  direction: ["\u202egnp.exe", "\u2066a\u2069b", "\u200f\u200b\u2060"],
  length: ["𝕳".repeat(45), "é".repeat(1000), `a${"\u0301".repeat(60)}`, "👩‍👩‍👧‍👦".repeat(3)],
  keys: ["__proto__", "constructor", '{"$gt":""}', "toString", "null"],
  log: ['ok\n{"level":60,"msg":"forged"}', "%s %d %n %x %o %j", "\u001b]0;title\u0007"],
  number: ["NaN", "1e309", "٣٤٥٦٧٨", "0x10"],
};

export const corpus = Object.entries(attacks)
  .flatMap(([kind, texts]) => texts.map((text) => ({ kind, text })))
  .map(({ kind, text }, n) => ({ kind, n, text: `${text}${mark(n)}` }));

/** For slow tests: the first text of each kind, and in the long run the last too. */
export const fewOfEach = corpus.filter(
  ({ kind, n }) => corpus[n - 1]?.kind !== kind || (isLongRun && corpus[n + 1]?.kind !== kind),
);
