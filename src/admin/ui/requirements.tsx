import type { LiveResult } from "#shared/live-checks.ts";
import { Status } from "./status.tsx";

/** Requirements of real payments, each with whether it is met. */
export function Requirements({ results }: { results: readonly LiveResult[] }) {
  return (
    <ul className="requirements">
      {results.map(({ sentence, isMet }) => (
        <li key={sentence}>
          <Status look={isMet ? "ok" : "act"}>{isMet ? "Met" : "Missing"}</Status> {sentence}.
        </li>
      ))}
    </ul>
  );
}
