import type { ReactNode } from "react";
import type { Organisation } from "#shared/organisation.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { Icon, type IconName } from "#shared/ui/icon.tsx";
import picture from "#shared/ui/identity/illustrations/spot-message.svg?inline";
import type { Crumb } from "#shared/ui/page-navigation.tsx";
import { ListHead } from "../list-head.tsx";

type OrganisationContact = Pick<Organisation, "phone" | "email" | "address">;
type ContactPageProps = { organisation: OrganisationContact; lede: string; trail: readonly Crumb[]; form: ReactNode };

export function ContactPage({ organisation, lede, trail, form }: ContactPageProps) {
  return (
    <>
      <ListHead title="Contact Us" text={lede} trail={trail} />
      <div className="section paper-bg contact-body">
        <div className="wrap">
          <HelplineStrip organisation={organisation} />
          <div className="contact-form">
            {form}
            <NextSteps />
          </div>
        </div>
      </div>
    </>
  );
}

function HelplineStrip({ organisation: { phone, email, address } }: { organisation: OrganisationContact }) {
  return (
    <dl className="plain-card helpline">
      <Line icon="phone" label="Helpline">
        <a href={telephoneLink(phone)}>{phone}</a>
      </Line>
      <Line icon="mail" label="Email">
        <a href={`mailto:${email}`}>{email}</a>
      </Line>
      <Line icon="pin" label="Address">
        {address}
      </Line>
    </dl>
  );
}

function Line({ icon, label, children }: { icon: IconName; label: string; children: ReactNode }) {
  return (
    <div>
      <dt>
        <Icon name={icon} />
        {label}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

function NextSteps() {
  return (
    <aside className="next-steps" aria-labelledby="next-steps-title">
      <img src={picture} alt="" width={320} height={320} />
      <h2 id="next-steps-title">What happens next</h2>
      <ol>
        <li>We email you to confirm that your message has arrived.</li>
        <li>Somebody on our team reads it.</li>
        <li>We reply by email, or call you if that’s easier.</li>
      </ol>
      <p className="muted">Is it about a donation? Please include its reference or your receipt number.</p>
    </aside>
  );
}
