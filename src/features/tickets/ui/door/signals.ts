import type { Verdict } from "../../door.ts";

type Signal = {
  readonly tones: readonly (readonly [hertz: number, seconds: number])[];
  readonly buzz: readonly number[];
};

const refused: Signal = { tones: [[196, 0.45]], buzz: [400] };
const signals: Readonly<Record<Verdict["kind"], Signal>> = {
  welcome: {
    tones: [
      [784, 0.09],
      [1175, 0.16],
    ],
    buzz: [60],
  },
  already: {
    tones: [
      [440, 0.14],
      [0, 0.06],
      [440, 0.14],
    ],
    buzz: [120, 80, 120],
  },
  cancelled: refused,
  other_event: refused,
  damaged: refused,
  not_ours: refused,
  not_listed: refused,
  not_kept: refused,
};

let audio: AudioContext | null = null;

/** Browsers play sounds only after somebody has pressed something. */
export function allowSound(): void {
  audio ??= "AudioContext" in window ? new AudioContext() : null;
  void audio?.resume();
}

/** A sound and, where the phone can, a vibration for each kind of verdict. */
export function signal(kind: Verdict["kind"]): void {
  const { tones, buzz } = signals[kind];
  // Chromium refuses to vibrate, with a warning, until the page was touched.
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.([...buzz]);
  if (audio?.state !== "running") return;
  let at = audio.currentTime;
  for (const [hertz, seconds] of tones) {
    if (hertz > 0) play(audio, { hertz, at, seconds });
    at += seconds;
  }
}

function play(context: AudioContext, { hertz, at, seconds }: { hertz: number; at: number; seconds: number }) {
  const oscillator = context.createOscillator();
  const volume = context.createGain();
  oscillator.frequency.value = hertz;
  volume.gain.setValueAtTime(0.4, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + seconds);
  oscillator.connect(volume).connect(context.destination);
  oscillator.start(at);
  oscillator.stop(at + seconds);
}
