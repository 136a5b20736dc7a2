import { test } from "vitest";
import { isLongRun } from "./long-run.ts";

/** A test for `npm run test:long` alone, in a file whose other tests `npm test` runs as well. */
export const longTest = test.runIf(isLongRun);
