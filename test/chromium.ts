import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

const usualPlaces = [
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
    const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    try {
      for (const rest of [["update"], ["install", "-y", "--no-install-recommends", "chromium"]]) {
        execFileSync("apt-get", rest, { stdio: ["ignore", "inherit", "inherit"], env: environment });
      }
    } catch {
      // The sentence below says what to do.
    }
    const installed = findChromium();
    if (installed !== undefined) return installed;
  }
  throw new Error(
    "The journeys need Chromium or Chrome, and none was found. Install it (Debian: `apt-get install chromium`), or name it in CHROMIUM_PATH.",
  );
}
