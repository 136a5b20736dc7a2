let isPressed = false;
let waiting: (() => void)[] = [];

/** Runs now, or after the current press: if the layout moved during it, the click would miss. */
export function afterPress(run: () => void): void {
  if (isPressed) waiting.push(run);
  else run();
}

function press() {
  isPressed = true;
}

function release() {
  isPressed = false;
  const runs = waiting;
  waiting = [];
  for (const run of runs) setTimeout(run);
}

if (typeof document !== "undefined") {
  document.addEventListener("pointerdown", press, true);
  document.addEventListener("pointerup", release, true);
  document.addEventListener("pointercancel", release, true);
}
