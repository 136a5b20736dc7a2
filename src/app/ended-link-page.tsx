import { keepTogether } from "#shared/language.ts";
import type { DocumentKind, LinkedDocument } from "#shared/links/contract.ts";
import type { EndedLink } from "#shared/links/document-links.ts";
import { FreshLink } from "#shared/links/ui/fresh-link.tsx";
import type { Organisation } from "#shared/organisation.ts";
import { island } from "#shared/pages/island.tsx";
import { loginThen, paths } from "#shared/paths.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { MessagePage } from "#shared/ui/message-page.tsx";

const titles: Record<DocumentKind, string> = {
  receipt: "receipt",
  ticket_order: "ticket order",
  application: "application to volunteer",
  waiting_entry: "place on the waiting list",
};

export function endedTitle({ isRevoked }: Pick<EndedLink, "isRevoked">): string {
  return isRevoked ? "This link was switched off" : "This link has expired";
}

type EndedLinkPageProps = {
  readonly link: Pick<EndedLink, "document" | "isRevoked" | "lastDay">;
  /** Whether we have an address to send a new link to. */
  readonly canRenew: boolean;
  readonly organisation: Pick<Organisation, "phone" | "email">;
};

/** What happened to a link that no longer works, and how to get a new one, if we have an address for it (DON-31). */
export function EndedLinkPage({ link, canRenew, organisation: { phone, email } }: EndedLinkPageProps) {
  const { document } = link;
  return (
    <MessagePage image="/identity/illustrations/spot-vision.svg" title={endedTitle(link)}>
      <p className="lede">
        {whyEnded(link)}
        {(canRenew || document === null) && " The document itself is unchanged."}
      </p>
      {document !== null && (canRenew ? <NewLink document={document} /> : <NoNewLink document={document} />)}
      {(document === null || document.kind === "receipt") && (
        <p>
          Already have an account? <a href={loginThen(paths.donationHistory)}>Log in</a> to see your donations and
          receipts.
        </p>
      )}
      <p className="muted">
        Questions? Call our helpline on <a href={telephoneLink(phone)}>{phone}</a> or write to{" "}
        <a href={`mailto:${email}`}>{email}</a>.
      </p>
    </MessagePage>
  );
}

function whyEnded({ isRevoked, lastDay }: EndedLinkPageProps["link"]): string {
  if (isRevoked) return "We switched it off, so that nobody can use it to open the document.";
  return lastDay === null
    ? "Links to personal documents work for a limited time."
    : keepTogether(`Links to personal documents work for a limited time, this one until ${lastDay}.`);
}

type NewLinkProps = { readonly document: LinkedDocument };

/** A closed account leaves its receipts and orders without an address, and no application. */
function NoNewLink({ document }: NewLinkProps) {
  return (
    <p>
      We can’t email you a new link, because we have no email address for this {titles[document.kind]}. If you need
      something from it, call us or write to us.
    </p>
  );
}

function NewLink({ document }: NewLinkProps) {
  const title = titles[document.kind];
  return (
    <>
      <h2>Get a new link</h2>
      <p>
        We’ll email it to the address we have for this {title}, up to three times a day. If your email address has
        changed, please call us.
      </p>
      {island("FreshLink", FreshLink, { kind: document.kind, id: document.id })}
      <noscript>
        <p className="note no-script">
          <span>This needs JavaScript, which is switched off in your browser. Call us and we’ll send the link.</span>
        </p>
      </noscript>
    </>
  );
}
