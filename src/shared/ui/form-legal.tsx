import type { ReactNode } from "react";
import { paths } from "#shared/paths.ts";

/** How we use the form's data (PAGE-9); `pays` for payment forms, `books` for what is booked for free. */
export function LegalNote({ pays = false, books = false }: { pays?: boolean; books?: boolean }) {
  return (
    <p className="small muted legal-note">
      We use what you enter as described in our <Policy path={paths.privacy}>privacy policy</Policy>.
      {pays && (
        <>
          {" "}
          Our <Policy path={paths.refunds}>refund policy</Policy> and <Policy path={paths.terms}>terms</Policy> apply.
        </>
      )}
      {books && (
        <>
          {" "}
          Our <Policy path={paths.terms}>terms</Policy> apply.
        </>
      )}
    </p>
  );
}

/** Opens in a new tab, so that the form is kept. */
function Policy({ path, children }: { path: string; children: ReactNode }) {
  return (
    <a href={path} target="_blank" rel="noopener">
      {children}
      <span className="sr"> (opens in a new tab)</span>
    </a>
  );
}
