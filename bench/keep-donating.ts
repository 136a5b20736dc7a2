import { createScriptedDonor } from "#test/faults/donor.ts";
import type { RunningProcess } from "./processes.ts";
import { paywayUrlOf } from "./site.ts";

type Donating = {
  readonly clients: number;
  /** What the donors' names and emails begin with. */
  readonly name: string;
  readonly isOver: () => boolean;
  /** Called with the status of every answer. */
  readonly onAnswer?: (status: number) => void;
};

type Given = {
  /** From the request to the answer. */
  readonly milliseconds: number;
  readonly answer: Awaited<ReturnType<ReturnType<typeof createScriptedDonor>["post"]>>;
};

/** Donors who each prepare and send the next donation as soon as the last is answered. */
export async function keepDonating(
  site: RunningProcess,
  { clients, name, isOver, onAnswer = () => undefined }: Donating,
): Promise<Given[]> {
  const given: Given[] = [];
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const place = { url: site.url, paywayUrl: paywayUrlOf(site), address: `203.0.113.${client + 1}` };
      const donor = createScriptedDonor({ ...place, random: () => 0.4, onAnswer });
      for (let nth = 0; !isOver(); nth += 1) {
        const { donation, body } = await donor.prepare(`${name}-${client}-${nth}`);
        const sent = performance.now();
        const answer = await donor.post(donation, body);
        given.push({ milliseconds: performance.now() - sent, answer });
      }
    }),
  );
  return given;
}

/** Whether so many milliseconds have passed. */
export function isOverAfter(milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds;
  return () => performance.now() >= end;
}
