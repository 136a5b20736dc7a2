import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const usualPlaces = [
  // Chromium without windows runs the journeys in two thirds of the time.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/chromium-browser",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** The browser for the journeys: `CHROMIUM_PATH`, or the first found in the usual places; undefined if there is none. */
export function findChromium(): string | undefined {
  return [process.env.CHROMIUM_PATH, ...usualPlaces].find((place) => place !== undefined && existsSync(place));
}

/**
 * The same, but as root on Debian or Ubuntu it installs a missing Chromium.
 * @throws Error that says what to install.
 */
export function provideChromium(): string {
  const found = findChromium();
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    aptGet("update");
    // Not every distribution has the first package.
    if (!aptInstall("chromium-headless-shell")) aptInstall("chromium");
    const installed = findChromium();
    if (installed !== undefined) return installed;
  }
  throw new Error(
    "The journeys need Chromium or Chrome, and none was found. Install it (Debian: `apt-get install chromium`), or name it in CHROMIUM_PATH.",
  );
}

const aptInstall = (name: string) => aptGet("install", "-y", "--no-install-recommends", name);

/** Whether the command succeeded. */
function aptGet(...rest: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync("apt-get", rest, { stdio: ["ignore", "inherit", "inherit"], env }).status === 0;
}
