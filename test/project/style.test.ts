import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const guide = readFileSync("docs/style.md", "utf8");
const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => /\.(?:tsx?|js|css|sql|md|json|html)$/.test(file) && file !== "package-lock.json")
  .filter((file) => file !== "docs/style.md");

type Source = { readonly file: string; readonly text: string };
const sources = tracked.flatMap((file): Source[] => {
  try {
    return [{ file, text: readFileSync(file, "utf8") }];
  } catch {
    return []; // Deleted, and not committed yet.
  }
});

/** The words of the table that are checked in this way. */
function listWords(checked: "names" | "everywhere"): string[] {
  const rows = [...guide.matchAll(/^\| [^|]+ \| ([^|]+) \| (\w+) \|$/gm)];
  return rows.flatMap(([, words = "", how]) => (how === checked ? words.split(",").map((word) => word.trim()) : []));
}

/** The word and the file of each exception. */
const exceptions = new Set(
  [...guide.matchAll(/^- `([^`]+)` in ([^:]+):\s/gm)].flatMap(([, word, files = ""]) =>
    [...files.matchAll(/`([^`]+)`/g)].map(([, file]) => `${word} ${file}`),
  ),
);

/** `emailQueue`, `email-queue.ts` and `EMAIL_QUEUE` are 'email' and 'queue'. */
const partsOf = (name: string) => name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)?.map((part) => part.toLowerCase()) ?? [];

function listNames({ file, text }: Source): string[] {
  const declared = text.matchAll(/\b(?:const|let|function|class|type|interface)\s+([\w$]+)/g);
  return [file, ...(/\.(?:tsx?|js)$/.test(file) ? [...declared].map(([, name = ""]) => name) : [])];
}

function findNames(source: Source, words: readonly string[]): string[] {
  const isOneOf = (part: string) => words.some((word) => part === word || part === `${word}s`);
  return listNames(source).flatMap((name) =>
    partsOf(name)
      .filter((part) => isOneOf(part) && !exceptions.has(`${part} ${source.file}`))
      .map((part) => `${source.file}: '${part}' in ${name}`),
  );
}

function findAnywhere({ file, text }: Source, words: readonly string[]): string[] {
  return words
    .filter((word) => new RegExp(`\\b${word}\\b`, "i").test(text) && !exceptions.has(`${word} ${file}`))
    .map((word) => `${file}: '${word}'`);
}

/** Lines that a reader of plain Markdown has to scroll for; tables, code and addresses cannot be broken. */
function findLongLines({ file, text }: Source): string[] {
  let isCode = false;
  return text.split("\n").flatMap((line, index) => {
    if (line.trimStart().startsWith("```")) isCode = !isCode;
    const canBreak = !isCode && !/^\s*\|/.test(line) && !/^\S*https?:\S+$/.test(line.trim());
    return canBreak && line.length > 120 ? [`${file}:${index + 1}`] : [];
  });
}

const findTitles = ({ file, text }: Source) =>
  [...text.matchAll(/^\s*(?:test|it)\(\s*"([^"]*)"/gm)].flatMap(([, title = ""]) =>
    /^(?:[A-Z]+-\d+[,: ]+)*(?:it )?should\b|\.$/.test(title) ? [`${file}: ${title}`] : [],
  );

/** Straight apostrophes in sentences that people read, which are typed ’; comments keep them. */
const findApostrophes = ({ file, text }: Source) =>
  text.split("\n").flatMap((line, index) => {
    const code = line.replace(/^\s*(?:\{?\/?\*|\/\/).*|\s\/\/ .*/, "");
    return /[a-z]'(?:[dmst]|ll|re|ve)\b/i.test(code) ? [`${file}:${index + 1}`] : [];
  });

// It plants what it looks for.
const others = sources.filter(({ file }) => file !== "test/project/style.test.ts");

test("no name has a word that docs/style.md replaces", () => {
  expect(others.flatMap((source) => findNames(source, listWords("names")))).toEqual([]);
});

test("no file has a word that docs/style.md rules out everywhere", () => {
  expect(others.flatMap((source) => findAnywhere(source, listWords("everywhere")))).toEqual([]);
});

test("no line of Markdown is longer than 120 characters", () => {
  expect(sources.filter(({ file }) => file.endsWith(".md")).flatMap(findLongLines)).toEqual([]);
});

test("titles of tests say what holds", () => {
  expect(sources.filter(({ file }) => /\.(?:test|spec)\.tsx?$/.test(file)).flatMap(findTitles)).toEqual([]);
});

test("pages, emails and problems have typographic apostrophes", () => {
  const read = /^src\/.*(?:\/ui\/.*\.tsx?|\.tsx|emails\.ts|problems\.ts)$/;
  const written = sources.filter(({ file }) => read.test(file) && !file.includes(".test."));
  expect(written.flatMap(findApostrophes)).toEqual([]);
});

test("no text ends in two ellipses", () => {
  expect(others.filter(({ text }) => text.includes("……")).map(({ file }) => file)).toEqual([]);
});

test("every exception is still needed", () => {
  const isNeeded = (exception: string) => {
    const [word = "", file = ""] = exception.split(" ");
    return others.some((source) => source.file === file && listNames(source).flatMap(partsOf).includes(word));
  };
  expect([...exceptions].filter((exception) => !isNeeded(exception))).toEqual([]);
});

test("what the checks of style look for, they see", () => {
  expect(listWords("names")).toContain("house");
  expect(listWords("everywhere")).toContain("trespass");
  const planted = {
    file: "src/house-rules.ts",
    text: "const wishList = 1;\nconst household = noTrespass; // trespass",
  };
  expect(findNames(planted, ["house", "wish"])).toEqual([
    "src/house-rules.ts: 'house' in src/house-rules.ts",
    "src/house-rules.ts: 'wish' in wishList",
  ]);
  expect(findAnywhere(planted, ["trespass"])).toEqual(["src/house-rules.ts: 'trespass'"]);
  const page = `${"a ".repeat(61)}\n| ${"b ".repeat(70)} |\n\`\`\`\n${"c ".repeat(70)}\n\`\`\`\n`;
  expect(findLongLines({ file: "a.md", text: page })).toEqual(["a.md:1"]);
  const sentences = "// it's a comment\n * it's one\nconst a = `It's read`; // and it's not";
  expect(findApostrophes({ file: "a.ts", text: sentences })).toEqual(["a.ts:3"]);
  expect(findTitles({ file: "a.test.ts", text: 'test("it should work", () => {\n  it("ends.", () => {' })).toHaveLength(
    2,
  );
});
