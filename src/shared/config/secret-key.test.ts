import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepSecretKey } from "./secret-key.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "almoner-secret-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = () => join(folder, "secret-key");

test("SEC-1: a key is created once, readable only by this account, and stays", () => {
  const key = keepSecretKey(folder);
  expect(key).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(keepSecretKey(folder)).toBe(key);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["secret-key"]);
});

test.each([
  ["empty", ""],
  ["cut off", "mUlHBTkHuLj4fQ"],
  ["only white space", `${" ".repeat(40)}\n`],
])("SEC-1: a key file that is %s is refused with what to do, and left unchanged", (_, text) => {
  writeFileSync(file(), text, { mode: 0o600 });
  expect(() => keepSecretKey(folder)).toThrow(/secret-key is damaged: .* Restore it from your backup/);
  expect(readFileSync(file(), "utf8")).toBe(text);
});

test("SEC-1: a key file that other accounts can read is refused", () => {
  keepSecretKey(folder);
  chmodSync(file(), 0o644);
  expect(() => keepSecretKey(folder)).toThrow(/mode 644.*chmod 600/);
});

test("SEC-1: a data folder that cannot be made is named, with what to do", () => {
  writeFileSync(join(folder, "file"), "");
  expect(() => keepSecretKey(join(folder, "file", "data"))).toThrow(
    /^The data folder .*data cannot be made \(ENOTDIR\)\. Give it to the account that runs this, or set DATA_DIR/,
  );
});

test("SEC-1: the leftovers of a start that was killed while writing do no harm", () => {
  writeFileSync(`${file()}.abcdef012345`, "", { mode: 0o600 });
  expect(keepSecretKey(folder)).toHaveLength(43);
});

test("SEC-1: processes that start at the same moment agree on one key", async () => {
  const script = `import { keepSecretKey } from ${JSON.stringify(join(import.meta.dirname, "secret-key.ts"))};
    process.stdin.once("data", () => { process.stdout.write(keepSecretKey(${JSON.stringify(folder)})); process.exit(); });
    process.stderr.write("ready");`;
  const children = Array.from({ length: 6 }, () => spawn(process.execPath, ["--input-type=module", "-e", script]));
  await Promise.all(children.map(({ stderr }) => once(stderr, "data")));
  const answers = children.map(async ({ stdin, stdout }) => {
    const answer = once(stdout, "data");
    stdin.write("go");
    return String((await answer)[0]);
  });
  const keys = await Promise.all(answers);
  expect(new Set(keys)).toEqual(new Set([readFileSync(file(), "utf8")]));
});

test("SEC-1: on a full disk the start fails, and leaves no file that a later start would use", async () => {
  // A process that cannot write any byte stands in for a full disk.
  const script = `import { keepSecretKey } from ${JSON.stringify(join(import.meta.dirname, "secret-key.ts"))};
    try { keepSecretKey(${JSON.stringify(folder)}); } catch (error) { process.stdout.write(error.message); }`;
  const command = `trap '' XFSZ; ulimit -f 0; exec "$0" --input-type=module -e "$1"`;
  const child = spawn("bash", ["-c", command, process.execPath, script]);
  const [message] = await once(child.stdout, "data");
  expect(String(message)).toMatch(/^The secret key could not be written to .*secret-key: EFBIG/);
  await once(child, "exit");
  expect(readdirSync(folder)).toEqual([]);
  expect(keepSecretKey(folder)).toHaveLength(43);
});
