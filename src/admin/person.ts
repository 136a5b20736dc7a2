import type { FastifyBaseLogger } from "fastify";
import { hasRight, type Right, type StaffMember } from "./rights.ts";
import type { StatusLook } from "./ui/status.tsx";

/** One thing that a person did, as a row of their page. */
export type PersonRow = {
  readonly reference: string;
  /** The address of its own screen, if there is one. */
  readonly path?: string;
  /** What it is about, such as an event. */
  readonly title: string;
  /** Further details, in a line or two. */
  readonly details: readonly string[];
  readonly at: Date;
  readonly status: { readonly label: string; readonly look: StatusLook };
  /** The id of a refund of it that waits for approval, if there is one. */
  readonly refundRequest?: string | null;
  /** Null if no money is involved. */
  readonly cents: number | null;
};

export type PersonTable = {
  /** The id of the section in the page, such as 'tickets'. */
  readonly id: string;
  readonly title: string;
  /** For screen readers: what the table lists, and in which order. */
  readonly caption: string;
  /** The head of the column with the rows’ titles. */
  readonly about: string;
  readonly detailsTitle: string;
  /** Latest first. */
  readonly rows: readonly PersonRow[];
  /** The text shown if there are no rows. */
  readonly none: string;
  /** The names that the person gave there. */
  readonly names: readonly string[];
};

/** What a feature adds to a person’s page, for people with the right. Keep sensitive fields out of these tables. */
export type PersonPart = {
  readonly right: Right;
  /** The email address of the donation, order, application or message with this id; null if there is none, or it was erased. */
  readonly findEmail: (id: string) => Promise<string | null>;
  /** What was done under this address, however it was written. */
  readonly readTable?: (email: string) => Promise<PersonTable>;
};

type PersonTables = {
  readonly tables: readonly PersonTable[];
  /** True if a part could not be read, so that something is missing. */
  readonly isIncomplete: boolean;
};

declare module "./screen.ts" {
  interface AdminReads {
    /** The email address of whatever has this id, if this person may see it. */
    readonly findPersonEmail: (staff: StaffMember, id: string) => Promise<string | null>;
    readonly readPersonTables: (staff: StaffMember, email: string) => Promise<PersonTables>;
  }
}

const seenBy = (parts: readonly PersonPart[], staff: StaffMember) =>
  parts.filter(({ right }) => hasRight(staff, right));

/**
 * The email address of the donation, order or application with this id; null if this person may not see it, or there is
 * none.
 */
export async function findPersonEmail(
  parts: readonly PersonPart[],
  staff: StaffMember,
  id: string,
): Promise<string | null> {
  const emails = await Promise.all(seenBy(parts, staff).map(({ findEmail }) => findEmail(id)));
  return emails.find((email) => email !== null) ?? null;
}

/** The tables that this person may see. One that fails is left out, and logged. */
export async function readPersonTables(
  parts: readonly PersonPart[],
  staff: StaffMember,
  email: string,
  log: FastifyBaseLogger,
): Promise<PersonTables> {
  const read = await Promise.all(
    seenBy(parts, staff).map(async ({ readTable }) => {
      try {
        return (await readTable?.(email)) ?? [];
      } catch (error) {
        log.error({ err: error }, "a part of a person’s page could not be read");
        return null;
      }
    }),
  );
  return { tables: read.flatMap((table) => table ?? []), isIncomplete: read.includes(null) };
}
