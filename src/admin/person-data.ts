import type { ErasurePlan } from "#shared/retention/retention.ts";
import type { ActSubject } from "./acts.ts";
import type { Actor } from "./audit.ts";
import type { StaffMember } from "./rights.ts";

type ExportedPerson = {
  /** Everything that every part of the site keeps about the person, by its names there. */
  readonly data: Record<string, unknown>;
  /** What their page belongs to, for the audit trail. */
  readonly about: ActSubject;
};

/** What `app` composes from every feature: all data of whoever has an email address. */
export type PersonData = {
  /** The address of the person’s page with this id; null if there is none. */
  readonly findEmail: (staff: StaffMember, id: string) => Promise<string | null>;
  readonly exportPerson: (page: { readonly id: string; readonly email: string }) => Promise<ExportedPerson>;
  /** What erasing changes, feature by feature. */
  readonly planErasure: (email: string) => Promise<ErasurePlan[]>;
  /**
   * Erases everything but what the plan says stays, in one transaction. @throws Refusal if something has to be settled
   * first, or nothing is left to erase.
   */
  readonly erasePerson: (erasure: { readonly email: string; readonly reason: string }, actor: Actor) => Promise<void>;
};
