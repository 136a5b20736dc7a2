import type { ReactNode } from "react";
import { keepTogether } from "#shared/keep-together.ts";
import type { Organisation } from "#shared/organisation.ts";
import { paths } from "#shared/paths.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { isOpen, type OwnApplication, sayStage } from "../../applicant.ts";
import { labels } from "../../application.ts";

type Reached = Pick<Organisation, "phone" | "email" | "volunteersEmail">;
type ApplicantPageProps = {
  readonly application: OwnApplication;
  readonly organisation: Reached;
  /** What the applicant may do about it, while it is open. */
  readonly actions: ReactNode;
};

/** One's own application by the link of our letter: where it stands, what we hold, and what one may do. */
export function ApplicantPage({ application, organisation, actions }: ApplicantPageProps) {
  return (
    <div className="wrap-narrow section applicant-page">
      <h1>Your application to volunteer</h1>
      <p className="lede">
        Reference <b>{application.reference}</b>, sent on <Day at={application.createdAt} />
      </p>
      <Standing application={application} />
      <Held application={application} organisation={organisation} />
      {isOpen(application) && actions}
      <p className="muted">
        This page opens for whoever has its link, so please keep the link to yourself. Questions? Call{" "}
        <Ways organisation={organisation} />.
      </p>
    </div>
  );
}

function Standing({ application }: Pick<ApplicantPageProps, "application">) {
  const { title, says } = sayStage(application);
  const { decidedAt, filesGoneAt, stage } = application;
  return (
    <section className="plain-card standing" aria-labelledby="standing-title">
      <h2 id="standing-title">{title}</h2>
      {decidedAt !== null && (
        <p className="muted">
          Since <Day at={decidedAt} />
        </p>
      )}
      <p>{says}</p>
      {filesGoneAt !== null && (
        <p>
          Your photo and signature are deleted after <Day at={filesGoneAt} />.
        </p>
      )}
      {(stage === "declined" || stage === "withdrawn") && (
        <p>
          <a href={paths.volunteer}>Apply again</a>
        </p>
      )}
    </section>
  );
}

function Held({ application, organisation }: Pick<ApplicantPageProps, "application" | "organisation">) {
  const { name, country, details, emergency, photoUrl, hasSignature } = application;
  const { street, state, postcode, mobile, email, preferredContact, availability, interests } = details;
  return (
    <section className="plain-card held" aria-labelledby="held-title">
      <h2 id="held-title">What we hold of you</h2>
      <dl>
        <Row label={labels.name}>
          <bdi>{name}</bdi>
          {isOpen(application) && (
            <span className="hint">
              You signed with it, so it is not changed here. Is it wrong? Call <Ways organisation={organisation} />.
            </span>
          )}
        </Row>
        <Row label="Address">
          <bdi>{street}</bdi>, <bdi>{state}</bdi> {postcode}, {country}
        </Row>
        <Row label={labels.mobile}>{mobile}</Row>
        <Row label={labels.email}>{email}</Row>
        <Row label={labels.preferredContact}>{preferredContact}</Row>
        <Row label={labels.availability}>{availability}</Row>
        <Row label={labels.interests}>{interests.join(", ")}</Row>
        <LongRow label={labels.skills} text={details.skills} />
        <LongRow label={labels.experience} text={details.experience} />
        <Row label="Emergency contact">
          <bdi>{emergency.name}</bdi>, mobile number ending in {emergency.mobileEnd}
          <span className="hint">
            We hold the rest of their details too. Our staff look at them only when they are needed.
          </span>
        </Row>
        <Row label={labels.photo}>
          {photoUrl === null ? "None" : <img src={photoUrl} alt="As you sent it to us" className="own-photo" />}
        </Row>
        <Row label={labels.signature}>{hasSignature ? "We have it; it is not shown here." : "None"}</Row>
      </dl>
    </section>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function LongRow({ label, text }: { label: string; text: string }) {
  return (
    <Row label={label}>
      {text === "" ? (
        "Nothing"
      ) : (
        <p className="typed" dir="auto">
          {text}
        </p>
      )}
    </Row>
  );
}

/** How to reach somebody, in the middle of a sentence. */
function Ways({ organisation: { phone, email, volunteersEmail = email } }: { organisation: Reached }) {
  return (
    <>
      <a href={telephoneLink(phone)}>{phone}</a> or write to <a href={`mailto:${volunteersEmail}`}>{volunteersEmail}</a>
    </>
  );
}

/** What one may do here needs a script; where there is none, people do it for one. */
export function ApplicantWithoutScript({ organisation }: { organisation: Reached }) {
  return (
    <noscript>
      <p className="note no-script">
        <span>
          Correcting a detail or withdrawing here needs JavaScript, which is switched off in your browser. We do it for
          you: call <Ways organisation={organisation} />.
        </span>
      </p>
    </noscript>
  );
}

const inSydney = new Intl.DateTimeFormat("en-AU", { dateStyle: "long", timeZone: "Australia/Sydney" });

function Day({ at }: { at: Date }) {
  return <time dateTime={at.toISOString()}>{keepTogether(inSydney.format(at))}</time>;
}
