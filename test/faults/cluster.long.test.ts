import { expect, test } from "vitest";
import { losses, whyNoCluster } from "../patroni.ts";
import { runClusterChaos } from "./cluster-chaos.ts";

const skip = whyNoCluster() !== undefined;

test("FAIL-5: a cluster that loses its primary in each way loses nothing, and takes gifts again by itself", {
  skip,
}, async () => {
  const { breaches, recoveries, settledMs, succeeded, orders } = await runClusterChaos({ seed: 1, kills: 3 });
  expect(breaches).toEqual({});
  expect(recoveries.map(({ loss }) => loss)).toEqual(Object.keys(losses));
  expect([succeeded, orders, settledMs].every((value) => value > 0 && Number.isFinite(value))).toBe(true);
});
