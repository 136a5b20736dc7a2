import { defineConfig } from "@playwright/test";
import { findChromium } from "#test/chromium.ts";
import { keepTemporaryFilesInMemory } from "#test/temporary-folder.ts";

keepTemporaryFilesInMemory();

// As root Chromium needs --no-sandbox; the others keep it from calling its maker.
const chromiumFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const executablePath = findChromium();
/** What `npm run test:long` runs: see docs/testing.md. */
const isLong = process.env.TEST_LONG === "1";

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/start-site.ts",
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // These only end what hangs.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: "list",
  use: {
    locale: "en-AU",
    timezoneId: "Australia/Sydney",
    colorScheme: "light",
    // Recording slows every test down: TRACE=1 keeps the recordings of those that fail.
    trace: process.env.TRACE === "1" ? "retain-on-failure" : "off",
    launchOptions: { args: chromiumFlags, ...(executablePath === undefined ? {} : { executablePath }) },
  },
  projects: [
    {
      name: "desktop",
      testIgnore: /\.phone\.spec\.ts$/,
      // The long run repeats what `npm test` runs, with more on each page: dark, and phones (`isLongRun`).
      ...(isLong ? {} : { grepInvert: /@long/ }),
      use: { viewport: { width: 1440, height: 900 } },
    },
    {
      name: "phone",
      testIgnore: /\.desktop\.spec\.ts$/,
      // What does not depend on the width runs once.
      ...(isLong ? { grepInvert: /@once|@phone/ } : { grep: /@phone/ }),
      use: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
    },
  ],
});
