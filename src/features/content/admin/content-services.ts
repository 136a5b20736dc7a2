import type { SetUp } from "#admin/set-up.ts";
import type { StaffSessions } from "#admin/staff-sessions.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";

export type ContentAdminServices = CoreServices<
  "database" | "files" | "organisation" | "now",
  "secretKey" | "checksLinks"
> & {
  readonly staffSessions: StaffSessions;
  /** Null on a site that began with content. */
  readonly setUp: { current(): Pick<SetUp, "isOpen"> | null };
  /** What the screens of events need of their tickets. */
  readonly eventTickets: {
    /** How many valid tickets are sold. */
    countSold(connection: Connection, eventId: number): Promise<number>;
    /** Copies an event's ticket types to another; their sales move by `moveMs` on its clock. Returns how many. */
    copyTypes(
      transaction: Connection,
      copy: { from: number; to: number; moveMs: number; timeZone: string },
    ): Promise<number>;
  };
  /** The causes that donors can give to: the key of each and its title. */
  readonly listFunds: () => Promise<readonly { readonly value: string; readonly label: string }[]>;
};
