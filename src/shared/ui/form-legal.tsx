import type { ReactNode } from "react";
import { paths } from "#shared/paths.ts";

/** What becomes of what one enters, for every form that collects (PAGE-9); `pays` where money is about to move. */
export function LegalNote({ pays = false }: { pays?: boolean }) {
  return (
    <p className="small muted legal-note">
      We use what you enter as our <Policy path={paths.privacy}>privacy policy</Policy> says.
      {pays && (
        <>
          {" "}
          Our <Policy path={paths.refunds}>refund policy</Policy> and <Policy path={paths.terms}>terms</Policy> apply.
        </>
      )}
    </p>
  );
}

/** In a new tab, so that nothing that was typed or chosen is left behind. */
function Policy({ path, children }: { path: string; children: ReactNode }) {
  return (
    <a href={path} target="_blank" rel="noopener">
      {children}
      <span className="sr"> (opens in a new tab)</span>
    </a>
  );
}
