import { judgeHold } from "#features/tickets/hold-rules.ts";
import { type Scenario, simulateSale } from "#test/faults/sale-simulation.ts";

// Who gets seats while attackers hold them and never pay: the site's rules and the earlier ones, in simulated time.

/** The earlier rules: thirty holds for an address in a quarter of an hour, each for a quarter of an hour. */
const before: typeof judgeHold = ({ wanted, unpaidSeatMs }, { holdMs }) => ({
  holdMs,
  effort: 1,
  isRefused: unpaidSeatMs / holdMs + wanted > 4 * 30 * 10,
});

const sales = {
  "2,000 seats, all of which the buyers want": { capacity: 2000, buyers: 1000, minutes: 60 },
  "140 seats for 70 buyers": { capacity: 140, buyers: 70, minutes: 60 },
} as const;
const percent = (share: number) => `${Math.round(share * 100)} %`;
const rows = [
  [
    "sale",
    "attackers",
    "rules",
    "served",
    "at once",
    "minutes to seats, half and 95 %",
    "kept by attackers",
    "captchas",
    "mean effort",
  ],
];
for (const [name, sale] of Object.entries(sales)) {
  for (const [attackers, isInside] of [
    [0, false],
    [1, false],
    [10, false],
    [100, false],
    [1, true],
    [10, true],
  ] as const) {
    for (const [rules, judge] of [
      ["now", judgeHold],
      ["before", before],
    ] as const) {
      const scenario: Scenario = { ...sale, carriers: 20, attackers, isInside, cores: 8, seed: 20_261_122, judge };
      const { served, atOnce, minutesToSeats, blocked, withCaptcha, meanEffort } = simulateSale(scenario);
      const times = `${minutesToSeats.half.toFixed(1)}, ${minutesToSeats.most.toFixed(1)}`;
      rows.push([
        name,
        `${attackers}${isInside ? " behind carriers" : ""}`,
        rules,
        percent(served),
        percent(atOnce),
        times,
        percent(blocked),
        percent(withCaptcha),
        meanEffort.toFixed(1),
      ]);
    }
  }
}
for (const row of rows) process.stdout.write(`| ${row.join(" | ")} |\n`);
