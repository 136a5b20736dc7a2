import type { PaidSubject } from "../server/paid-subject.ts";

const paths = { donation: "/admin/donations", ticket_order: "/admin/orders" } as const;

/** The reference of a donation or ticket order, with a link to its page. */
export function SubjectLink({
  subject: { kind, id, reference },
  className,
}: {
  subject: PaidSubject;
  className?: string;
}) {
  return (
    <a className={className} href={`${paths[kind]}/${id}`}>
      {reference}
    </a>
  );
}
