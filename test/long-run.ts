/**
 * Whether this is `npm run test:long`, which runs each file that imports this as well as `*.long.test.ts`: what `npm
 * test` tries with a few cases, these files then try with all.
 */
export const isLongRun = process.env.TEST_LONG === "1";
