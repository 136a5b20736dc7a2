import type { Organisation } from "#shared/organisation.ts";
import badge from "#shared/ui/identity/brand/badge-registered-charity-placeholder.svg?no-inline";

/** The entry on the charity register, where money is about to move. */
export function Seal({ registration }: Pick<Organisation, "registration">) {
  return (
    <div className="seal">
      <img src={badge} alt="" width="56" height="56" />
      <p className="small muted">
        <a href={registration.url}>{registration.label}</a>
      </p>
    </div>
  );
}
