/** The progress in a form with several steps. `current` counts from 1; past the last, none is current. */
export function Steps({ names, current, completed }: StepsProps) {
  return (
    <ol className="steps" aria-label="Progress">
      {names.map((name, index) => {
        const step = index + 1;
        const isDone = completed.includes(step) && step !== current;
        return (
          <li key={name} className={isDone ? "done" : undefined} aria-current={step === current ? "step" : undefined}>
            {name}
            {isDone && <span className="sr"> completed</span>}
          </li>
        );
      })}
    </ol>
  );
}

type StepsProps = {
  readonly names: readonly string[];
  readonly current: number;
  readonly completed: readonly number[];
};
