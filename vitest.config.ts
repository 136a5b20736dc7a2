import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The fault tests are the longest and mostly wait: begun first, they run beside all the others instead of after them. */
class FaultsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isFault = ({ moduleId }: TestSpecification) => moduleId.includes("/test/faults/");
    return [...sorted.filter(isFault), ...sorted.filter((file) => !isFault(file))];
  }
}

export default defineConfig({
  test: {
    include: ["{src,database,simulators,test}/**/*.test.{ts,tsx}"],
    globalSetup: "./test/global-setup.ts",
    env: { NODE_ENV: "test" },
    pool: "forks",
    maxWorkers: 2,
    sequence: { sequencer: FaultsFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    // The page of parts measures the colours that it reads from here.
    css: { include: /tokens\.css/ },
  },
});
