/**
 * Whether this is `npm run test:long`. It runs `*.long.test.ts` and each file that imports this constant: what the file
 * tries with a few cases in `npm test`, it then tries with all.
 */
export const isLongRun = process.env.TEST_LONG === "1";
