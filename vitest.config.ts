import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.{ts,tsx}", "database/**/*.test.ts", "simulators/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: "./test/global-setup.ts",
    env: { NODE_ENV: "test" },
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    // The page of parts measures the colours that it reads from here.
    css: { include: /tokens\.css/ },
  },
});
