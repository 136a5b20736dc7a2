/** A server's metrics at one moment. */
export type SoakSample = {
  readonly minutes: number;
  readonly megabytes: number;
  readonly files: number;
  /** The 99th percentile since the previous sample. */
  readonly eventLoopMs: number;
  /** Answers of 500 and above since the start. */
  readonly failures: number;
};

/** The first sixth of the run, while caches and pools fill. */
const WARM_UP = 1 / 6;
const WINDOWS = 10;
/** Megabytes in ten minutes. */
const MAX_SLOPE = 1;
const MAX_MORE_FILES = 5;
const MAX_EVENT_LOOP_MS = 50;
/** How many of ten samples must be within it: garbage collection or another program may lengthen one. */
const OF_TEN = 9;

type Judgement = {
  readonly megabytesInTenMinutes: number;
  readonly moreFiles: number;
  readonly faults: readonly string[];
};

/**
 * Judges whether a server stayed stable under a steady load. Memory goes up and down with garbage collection, so it takes
 * the minimum of each tenth of the time, and the median slope between them: a few outliers change nothing.
 */
export function judgeSoak(samples: readonly SoakSample[], unexpected: number): Judgement {
  const end = samples.at(-1)?.minutes ?? 0;
  const warm = samples.filter(({ minutes }) => minutes >= end * WARM_UP);
  const length = (end * (1 - WARM_UP)) / WINDOWS;
  const windows = Array.from({ length: WINDOWS }, (_, index) => {
    const from = end * WARM_UP + index * length;
    return warm.filter(({ minutes }) => minutes >= from && (minutes < from + length || index === WINDOWS - 1));
  }).filter((window) => window.length > 0);
  const least = (of: (sample: SoakSample) => number) => windows.map((window) => Math.min(...window.map(of)));
  const megabytesInTenMinutes = (medianSlope(least(({ megabytes }) => megabytes)) / length) * 10;
  const files = least((sample) => sample.files);
  const moreFiles = (files.at(-1) ?? 0) - (files[0] ?? 0);
  const quick = warm.filter(({ eventLoopMs }) => eventLoopMs < MAX_EVENT_LOOP_MS).length;
  const failures = samples.at(-1)?.failures ?? 0;
  return {
    megabytesInTenMinutes,
    moreFiles,
    faults: [
      ...(windows.length < WINDOWS ? ["too short to judge"] : []),
      ...(megabytesInTenMinutes < MAX_SLOPE
        ? []
        : [`memory grows by ${megabytesInTenMinutes.toFixed(1)} MB in 10 min`]),
      ...(moreFiles <= MAX_MORE_FILES ? [] : [`${moreFiles} more files are open`]),
      ...(quick * 10 >= warm.length * OF_TEN
        ? []
        : [`the event loop was slow in ${warm.length - quick} of ${warm.length} samples`]),
      ...(failures === 0 ? [] : [`${failures} answers of 5xx`]),
      ...(unexpected === 0 ? [] : [`${unexpected} answers that were not expected, or none at all`]),
    ],
  };
}

/** The median slope between any two values (the Theil–Sen estimator). */
function medianSlope(values: readonly number[]): number {
  const slopes = values.flatMap((value, index) =>
    values.slice(index + 1).map((later, distance) => (later - value) / (distance + 1)),
  );
  return slopes.sort((one, other) => one - other)[Math.floor(slopes.length / 2)] ?? 0;
}
