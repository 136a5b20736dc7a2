import { execFileSync, spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { settingNames } from "#shared/config/environment.ts";
import { isInstalled } from "#test/proxies.ts";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "deploy-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The instructions of a Dockerfile, with continued lines joined. */
const listInstructions = (text: string) =>
  text
    .replace(/^#.*\n/gm, "")
    .replace(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => /^(\w+)\s+(.*)$/.exec(line)!.slice(1) as [string, string]);

/** What is wrong with a Dockerfile, as sentences. */
function judgeImage(text: string): string[] {
  const all = listInstructions(text);
  const ofKind = (kind: string) => all.filter(([name]) => name === kind).map(([, words]) => words);
  const [last] = ofKind("USER").slice(-1);
  const secrets = all.filter(
    ([name, words]) => /^(ARG|ENV)$/.test(name) && /(SECRET|PRIVATE|TOKEN|PASSWORD|_KEY)\b/.test(words),
  );
  return [
    ...ofKind("FROM").flatMap((image) => (/^\$\{NODE_IMAGE\}|@sha256:/.test(image) ? [] : [`${image} is not pinned`])),
    ...ofKind("ARG").flatMap((words) => (words.includes(":latest") ? [`${words} is not pinned`] : [])),
    ...(last === undefined || /^(root|0)\b/.test(last) ? ["it runs as root"] : []),
    ...secrets.map(([, words]) => `${words} is in the image`),
    ...ofKind("CMD").flatMap((words) =>
      words.startsWith("[") ? [] : ["a shell stands between the signal and the site"],
    ),
    ...["HEALTHCHECK", "STOPSIGNAL", "VOLUME"].filter((kind) => ofKind(kind).length === 0).map((kind) => `no ${kind}`),
  ];
}

describe("the image", () => {
  const image = read("deploy/Dockerfile");

  test("DEP-1: is pinned, runs without root or a shell, says whether it is well, and has no secret", () => {
    expect(judgeImage(image)).toEqual([]);
  });

  test("DEP-1: negative control: each rule is broken by a change", () => {
    for (const [from, to, said] of [
      [/FROM \$\{NODE_IMAGE\}\n/, "FROM node:latest\n", "not pinned"],
      ["USER 10001\n", "", "root"],
      ["USER 10001", "USER 0", "root"],
      ["ENV NODE_ENV", "ENV PAYWAY_SECRET_KEY=x NODE_ENV", "is in the image"],
      ['CMD ["node", "src/app/start.js"]', "CMD node src/app/start.js", "shell"],
      ["STOPSIGNAL SIGTERM", "", "no STOPSIGNAL"],
    ] as const) {
      expect(judgeImage(image.replace(from, to)).join(), String(from)).toContain(said);
    }
  });

  test("DEP-1: is made from what it needs, without settings, data or history", () => {
    const ignored = read(".dockerignore").split("\n");
    expect(ignored).toContain("*");
    expect(ignored.filter((line) => /^!.*(\.env|\.git|data|test)/.test(line))).toEqual(["!database"]);
    for (const line of ["**/.env", "**/data"]) expect(ignored).toContain(line);
    const copied = /^cp -R (.*) "\$target"$/m.exec(read("deploy/layout.sh"))![1]!.split(" ");
    for (const name of copied.filter((each) => each !== "dist")) expect(ignored, name).toContain(`!${name}`);
  });

  test("DEP-1: sets only settings that there are", () => {
    const set = listInstructions(image)
      .filter(([name]) => name === "ENV")
      .flatMap(([, words]) => words.split(" ").map((pair) => pair.split("=")[0]!));
    const ofNode = ["NODE_ENV", "NODE_COMPILE_CACHE", "SITE_BUILD"];
    expect(set.length).toBeGreaterThan(1);
    expect(set.filter((name) => !settingNames.includes(name) && !ofNode.includes(name))).toEqual([]);
  });
});

test("DEP-2: what production runs imports no package that is for development only", () => {
  const { devDependencies } = JSON.parse(read("package.json"));
  const files = globSync("{src,database,simulators}/**/*.{ts,tsx,js}", { cwd: root }).filter(
    (file) => !/\.test\./.test(file),
  );
  expect(files.length).toBeGreaterThan(900);
  const found = files.flatMap((file) =>
    [...read(file).matchAll(/^(?:import|export) (?!type )[^;]*? from "([^"#.][^"]*)"|\bimport\("([^"#.][^"]*)"\)/gm)]
      .map(([, plain, dynamic]) => (plain ?? dynamic)!)
      .map((name) =>
        name
          .split("/")
          .slice(0, name.startsWith("@") ? 2 : 1)
          .join("/"),
      )
      .filter((name) => name in devDependencies)
      .map((name) => `${file} imports ${name}`),
  );
  // A command of developers, which writes a migration.
  expect(found).toEqual(["database/places.ts imports country-region-data"]);
});

test("DEP-2: the folder is not made with the Node of node_modules, which goes while packages are installed", () => {
  const PATH = `${join(root, "node_modules/.bin")}:${process.env.PATH}`;
  // In a folder without packages, of which nothing can go.
  const options = { cwd: folder, env: { ...process.env, PATH }, encoding: "utf8" } as const;
  const { status, stderr } = spawnSync("sh", [join(root, "deploy/layout.sh"), join(folder, "layout")], options);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^Install Node 24 on this machine/);
});

describe("the samples", () => {
  test.runIf(isInstalled("nginx"))("DEP-3: nginx takes its sample", () => {
    const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
    const options = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=x"];
    execFileSync("openssl", ["req", ...options, "-keyout", key, "-out", certificate], { stdio: "ignore" });
    const sample = read("deploy/nginx.conf")
      .replace("/etc/ssl/ourcharity.pem", certificate)
      .replace("/etc/ssl/ourcharity.key", key);
    const file = join(folder, "nginx.conf");
    writeFileSync(file, `events {}\nhttp {\n${sample}\n}\npid ${join(folder, "pid")};\n`);
    const { status, stderr } = spawnSync("nginx", ["-t", "-q", "-c", file], { encoding: "utf8" });
    expect([status, stderr.replace(/^.*could not open error log.*\n/m, "")]).toEqual([0, ""]);
  });

  test.runIf(isInstalled("caddy"))("DEP-3: Caddy takes its sample", () => {
    const options = ["validate", "--adapter", "caddyfile", "--config", join(root, "deploy/Caddyfile")];
    const { status, stderr } = spawnSync("caddy", options, { encoding: "utf8", env: { ...process.env, HOME: folder } });
    expect(status, stderr).toBe(0);
  });

  test("DEP-3: neither sends a payment twice, believes what visitors claim, shows the metrics, or changes HSTS", () => {
    const [nginx, caddy] = [read("deploy/nginx.conf"), read("deploy/Caddyfile")];
    const settings = nginx.replace(/#.*$/gm, "");
    expect(settings).not.toContain("non_idempotent");
    expect(settings).toMatch(/X-Forwarded-For \$remote_addr;/);
    // With a slash at the end too, which the site ignores.
    expect(settings).toMatch(/location \/metrics \{ return 404; \}/);
    expect(settings).toMatch(/max_fails=0;[\s\S]*max_fails=0;/);
    expect(caddy).toContain("header_up X-Forwarded-For {remote_host}");
    expect(caddy).toContain("respond /metrics* 404");
    expect(caddy).not.toMatch(/lb_retry_match/);
    // The site sends it itself, as HSTS_PRELOAD says.
    for (const sample of [nginx, caddy]) expect(sample).not.toContain("Strict-Transport-Security");
  });

  const units = ["almoner@.service", "almoner-database.service"].map((name) => join(root, "deploy/systemd", name));

  test.runIf(isInstalled("systemd-analyze"))(
    "DEP-4: systemd finds nothing wrong with the units, and little exposed",
    () => {
      for (const unit of units) {
        const verified = spawnSync("systemd-analyze", ["verify", "--recursive-errors=no", unit], { encoding: "utf8" });
        // The unit's programs are not installed here.
        const wrong = verified.stderr
          .split("\n")
          .filter((line) => line !== "" && !/not executable|Command .* is not/.test(line));
        expect(wrong).toEqual([]);
        const { stdout } = spawnSync("systemd-analyze", ["security", "--offline=true", "--no-pager", unit], {
          encoding: "utf8",
        });
        expect(Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThanOrEqual(2);
      }
    },
  );

  test("DEP-4: the database's unit does not wait for connections to end when it stops", () => {
    expect(read("deploy/systemd/almoner-database.service")).toMatch(/^KillSignal=SIGINT$/m);
  });

  test("DEP-4: the units say why they leave two hardenings out, and have neither", () => {
    for (const unit of units) {
      const text = readFileSync(unit, "utf8");
      expect(text).not.toMatch(/^(?:MemoryDenyWriteExecute|RemoveIPC)=/m);
      expect(text).toMatch(/^# Not (?:MemoryDenyWriteExecute|RemoveIPC)/m);
      expect(text).toMatch(/^TimeoutStopSec=75$/m);
    }
  });
});
