import type { Organisation } from "#shared/organisation.ts";
import { telephoneLink } from "#shared/telephone-link.ts";

/** Helpline, email and address, in the same order everywhere (WCAG 3.2.6). */
export function ContactLines({ organisation }: { organisation: Organisation }) {
  return (
    <>
      Helpline <a href={telephoneLink(organisation.phone)}>{organisation.phone}</a>
      <br />
      <a href={`mailto:${organisation.email}`}>{organisation.email}</a>
      <br />
      <bdi>{organisation.address}</bdi>
    </>
  );
}
