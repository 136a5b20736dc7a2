import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const usualPlaces = [
  // The same Chromium without windows: the journeys take two thirds of the time in it.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/chromium-browser",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** The browser that journeys run in: `CHROMIUM_PATH`, else the first of the usual places; undefined when there is none. */
export function findChromium(): string | undefined {
  return [process.env.CHROMIUM_PATH, ...usualPlaces].find((place) => place !== undefined && existsSync(place));
}

/**
 * The same, and as root on Debian or Ubuntu installs the distribution's Chromium when there is none.
 * @throws a sentence that says what to install.
 */
export function provideChromium(): string {
  const found = findChromium();
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    aptGet("update");
    // Not every distribution has the first.
    if (!aptInstall("chromium-headless-shell")) aptInstall("chromium");
    const installed = findChromium();
    if (installed !== undefined) return installed;
  }
  throw new Error(
    "The journeys need Chromium or Chrome, and none was found. Install it (Debian: `apt-get install chromium`), or name it in CHROMIUM_PATH.",
  );
}

const aptInstall = (name: string) => aptGet("install", "-y", "--no-install-recommends", name);

/** Whether it went well. */
function aptGet(...rest: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync("apt-get", rest, { stdio: ["ignore", "inherit", "inherit"], env }).status === 0;
}
