import { type ParseArgsConfig, parseArgs } from "node:util";

/**
 * `parseArgs` of a command's words, for its operator: what Node says about a wrong one ends after its first sentence, and
 * the usage follows. @throws Error
 */
export function readWords<const Given extends ParseArgsConfig>(given: Given, usage: string) {
  try {
    return parseArgs(given);
  } catch (error) {
    const [fault] = (error as Error).message.split(/\.(?: |$)|\n/);
    throw new Error(/'(?:--help|-h)'/.test(fault!) ? usage : `${fault}.\n\n${usage}`);
  }
}
