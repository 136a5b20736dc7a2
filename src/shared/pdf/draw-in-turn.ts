import { setImmediate as othersTurn } from "node:timers/promises";
import { fewAtOnce } from "#shared/few-at-once.ts";

const oneByOne = fewAtOnce(1);

/**
 * Draws a paper once those that were asked for before are drawn. Drawing keeps the thread for about ten milliseconds at a
 * time: with one at a time, answers wait for one paper's turn and not for those of all that are drawn just then.
 */
export function drawInTurn(draw: () => Promise<Buffer>): Promise<Buffer> {
  return oneByOne(async () => {
    await othersTurn();
    return draw();
  });
}
