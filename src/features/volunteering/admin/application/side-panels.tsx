import { hasRight } from "#admin/rights.ts";
import { ActionForm, TextField } from "#admin/ui/form.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { describeWhen } from "#admin/ui/when.tsx";
import { dayInSydney, formatDay, formatList } from "#shared/language.ts";
import type { EmergencyDetails } from "../../server/reads.ts";
import type { ApplicationProps } from "./application-props.ts";

/** Photo, signature and emergency contact: closed until somebody needs them, each look recorded. */
export function SensitivePanel({ data, request }: ApplicationProps) {
  const { application } = data;
  const { hasPhoto, hasSignature, filesDeletedAt } = application;
  const mayLook = request.staff !== null && hasRight(request.staff, "applications.sensitive");
  const buttons = [
    ...(hasPhoto ? [["photo", "See the photo"] as const] : []),
    ...(hasSignature ? [["signature", "See the signature"] as const] : []),
    ["emergency", "See the emergency contact"] as const,
  ];
  return (
    <section className="panel" aria-labelledby="sensitive-title" id="sensitive">
      <h2 id="sensitive-title">Photo and emergency contact</h2>
      <Detail data={data} />
      {!hasPhoto && filesDeletedAt !== null && (
        <p className="hint">Photo and signature were deleted on {formatDay(dayInSydney(filesDeletedAt))}.</p>
      )}
      {mayLook ? (
        <ActionForm action={`/admin/volunteers/${application.id}/look`} id="look" request={request}>
          <TextField name="why" label="What you need it for" hint="Such as: to greet them at the picnic." />
          <p className="row press">
            {buttons.map(([what, label]) => (
              <button className="btn quiet" type="submit" name="what" value={what} key={what}>
                {label}
              </button>
            ))}
          </p>
        </ActionForm>
      ) : (
        <p className="hint">Your roles do not include the right to see them.</p>
      )}
    </section>
  );
}

/** What staff asked to see, or that all is closed. */
function Detail({ data: { application, seen, now } }: Pick<ApplicationProps, "data">) {
  const last = application.events.findLast(
    ({ event }) => event === "file_viewed" || event === "emergency_contact_viewed",
  );
  if (seen === null) {
    return (
      <div className="look">
        <span className="ph" aria-hidden="true">
          <Icon name="eye" />
        </span>
        <div>
          <p>
            <b>Closed until you need them</b>
          </p>
          <p className="small muted">
            Each look is recorded with your name.
            {last && <> Last: {`${last.actor}, ${describeWhen(last.at, now)}.`}</>}
          </p>
        </div>
      </div>
    );
  }
  if (seen.what === "emergency") return <Contact contact={seen.contact} />;
  if ("isAway" in seen) {
    return (
      <p className="hint">
        It can’t be read right now, because where we keep files does not answer. Try again in a minute.
      </p>
    );
  }
  return (
    <img
      className="seen"
      src={seen.dataUrl}
      width={seen.width}
      height={seen.height}
      alt={`${seen.what === "photo" ? "Photo" : "Signature"} of ${application.name}`}
    />
  );
}

/** Somebody else’s details, who may not know that we have them. */
function Contact({ contact }: { contact: EmergencyDetails }) {
  const { name, mobile, email, preferredContact, city, state, postcode, country } = contact;
  return (
    <dl className="kv">
      <div>
        <dt>Name</dt>
        <dd>
          <bdi>{name}</bdi>
        </dd>
      </div>
      <div>
        <dt>Mobile</dt>
        <dd className="tn">
          <bdi>{mobile}</bdi>
        </dd>
      </div>
      <div>
        <dt>Email</dt>
        <dd>
          <bdi>{email}</bdi>
        </dd>
      </div>
      <div>
        <dt>Prefers</dt>
        <dd>{preferredContact === "SMS" ? "Text messages" : "Email"}</dd>
      </div>
      <div>
        <dt>Lives in</dt>
        <dd>
          <bdi>{formatList([city, state, postcode, country], "comma")}</bdi>
        </dd>
      </div>
    </dl>
  );
}
