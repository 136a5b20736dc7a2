import type { PaidThing } from "../server/paid-thing.ts";

const paths = { donation: "/admin/donations", ticket_order: "/admin/orders" } as const;

/** The reference of a donation or ticket order, with a link to its page. */
export function ThingLink({ thing: { kind, id, reference }, className }: { thing: PaidThing; className?: string }) {
  return (
    <a className={className} href={`${paths[kind]}/${id}`}>
      {reference}
    </a>
  );
}
