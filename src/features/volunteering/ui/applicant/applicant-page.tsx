import type { ReactNode } from "react";
import { dayInSydney, formatDay, formatList, keepTogether } from "#shared/language.ts";
import type { Organisation } from "#shared/organisation.ts";
import { paths } from "#shared/paths.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { describeStage, isOpenStage, type OwnApplication } from "../../applicant.ts";
import { availabilityWords, labels } from "../../application.ts";

type OrganisationContact = Pick<Organisation, "phone" | "email" | "volunteersEmail">;
type ApplicantPageProps = {
  /** The shifts; only for volunteers. */
  readonly shifts: ReactNode;
  /** The address of the certificate of hours; null without hours. */
  readonly hoursPath: string | null;
  readonly application: OwnApplication;
  readonly organisation: OrganisationContact;
  readonly actions: ReactNode;
};

/** An applicant's own page: the application's status, what we hold, and what they can do. */
export function ApplicantPage({ application, organisation, actions, shifts, hoursPath }: ApplicantPageProps) {
  return (
    <div className="wrap-narrow section applicant-page">
      <h1>Your application to volunteer</h1>
      <p className="lede">
        Reference <b>{application.reference}</b>, sent on <Day at={application.createdAt} />
      </p>
      <ApplicationStatus application={application} />
      {application.stage === "approved" && (
        <section className="plain-card" aria-labelledby="shifts-title">
          <h2 id="shifts-title">Shifts</h2>
          {application.shifts.length === 0 ? <p>No shifts are planned for your roles at the moment.</p> : shifts}
        </section>
      )}
      {(hoursPath !== null || application.pastShifts.length > 0) && (
        <section className="plain-card" aria-labelledby="hours-title">
          <h2 id="hours-title">Your hours</h2>
          <PastShifts shifts={application.pastShifts} />
          {hoursPath !== null && (
            <p>
              <a href={hoursPath}>Certificate of your hours (PDF)</a>
            </p>
          )}
        </section>
      )}
      <Held application={application} organisation={organisation} />
      {isOpenStage(application) && actions}
      <p className="muted">
        Anyone with the link can open this page, so please keep it to yourself. Questions? Call{" "}
        <Ways organisation={organisation} />.
      </p>
    </div>
  );
}

function PastShifts({ shifts }: { shifts: OwnApplication["pastShifts"] }) {
  if (shifts.length === 0) return null;
  return (
    <>
      <p>Your hours in these shifts will be recorded.</p>
      <ul className="shifts">
        {shifts.map(({ id, title, role, when }) => (
          <li key={id}>
            <h3>
              <bdi>{title}</bdi>
            </h3>
            <p>
              {when}, {role}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

function ApplicationStatus({ application }: Pick<ApplicantPageProps, "application">) {
  const { title, text } = describeStage(application);
  const { decidedAt, askedAt, filesGoneAt, stage } = application;
  return (
    <section className="plain-card application-status" aria-labelledby="status-title">
      <h2 id="status-title">{title}</h2>
      {decidedAt !== null && (
        <p className="muted">
          Since <Day at={decidedAt} />
        </p>
      )}
      <p>{text}</p>
      {askedAt !== null && (
        <p>
          We emailed you a question on <Day at={askedAt} />. Please reply to that email, or correct your details below.
        </p>
      )}
      {filesGoneAt !== null && (
        <p>
          We will delete your photo and signature after <Day at={filesGoneAt} />.
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
      <h2 id="held-title">What we hold about you</h2>
      <dl>
        <Row label={labels.name}>
          <bdi>{name}</bdi>
          {isOpenStage(application) && (
            <span className="hint">
              You signed with this name, so it cannot be changed here. If it is wrong, call{" "}
              <Ways organisation={organisation} />.
            </span>
          )}
        </Row>
        <Row label="Address">
          <bdi>{street}</bdi>, <bdi>{state}</bdi> {postcode}, {country}
        </Row>
        <Row label={labels.mobile}>{mobile}</Row>
        <Row label={labels.email}>{email}</Row>
        <Row label={labels.preferredContact}>{preferredContact}</Row>
        <Row label={labels.availability}>{availabilityWords[availability]}</Row>
        <Row label={labels.interests}>{formatList(interests, "comma")}</Row>
        <LongRow label={labels.skills} text={details.skills} />
        <LongRow label={labels.experience} text={details.experience} />
        <Row label="Emergency contact">
          <bdi>{emergency.name}</bdi>, mobile number ending in {emergency.mobileEnd}
          <span className="hint">
            We hold the rest of their details too. Our staff see them only when they are needed.
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

/** Contact details for the middle of a sentence. */
function Ways({ organisation: { phone, email, volunteersEmail = email } }: { organisation: OrganisationContact }) {
  return (
    <>
      <a href={telephoneLink(phone)}>{phone}</a> or email <a href={`mailto:${volunteersEmail}`}>{volunteersEmail}</a>
    </>
  );
}

/** Without JavaScript, staff do it for the applicant. */
export function ApplicantWithoutScript({ organisation }: { organisation: OrganisationContact }) {
  return (
    <noscript>
      <p className="note no-script">
        <span>
          Correcting a detail or withdrawing here needs JavaScript, which is switched off in your browser. We can do it
          for you: call <Ways organisation={organisation} />.
        </span>
      </p>
    </noscript>
  );
}

function Day({ at }: { at: Date }) {
  return <time dateTime={at.toISOString()}>{keepTogether(formatDay(dayInSydney(at)))}</time>;
}
