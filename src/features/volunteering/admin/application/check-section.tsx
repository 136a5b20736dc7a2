import { ActionForm, ChoiceField, SelectField, TextField } from "#admin/ui/form.tsx";
import { Note } from "#admin/ui/note.tsx";
import { Status } from "#admin/ui/status.tsx";
import { dayInSydney, formatDay } from "#shared/language.ts";
import { addMonths, checkStates } from "../../checks.ts";
import { type ApplicationProps, mayChange } from "./application-props.ts";
import type { ShownApplication } from "./find-application.ts";

type Check = NonNullable<ShownApplication["check"]>;

/** The Working With Children Check: what we know, who verified it, and the forms to record and verify one. */
export function CheckSection({ data, request }: ApplicationProps) {
  const { application, roles, today } = data;
  const { check } = application;
  const wanted = application.stage === "approved" ? application.roles : application.interests;
  const isNeeded = roles.some(({ title, needsCheck }) => needsCheck && wanted.includes(title));
  return (
    <section className="sec" aria-labelledby="check" id="check-section">
      <div className="sec-h">
        <h2 id="check">Working With Children Check</h2>
      </div>
      {check === undefined ? (
        <p className="hint">
          {isNeeded
            ? "Some of what they want to do needs a check. None is recorded."
            : "Nothing that they want to do needs a check."}
        </p>
      ) : (
        <CheckState check={check} today={today} />
      )}
      {check !== undefined && mayChange(request) && <CheckActs data={data} request={request} check={check} />}
      <EarlierCheck data={data} request={request} />
      {mayChange(request) && <RecordCheck data={data} request={request} isOpen={check === undefined && isNeeded} />}
    </section>
  );
}

function CheckState({ check, today }: { check: Check; today: string }) {
  const { state, number, kind, expiresOn, verifiedAt, verifiedBy, revokedAt, revokedBy } = check;
  const day = formatDay(expiresOn);
  return (
    <dl className="kv">
      <div>
        <dt>Check</dt>
        <dd className="tn">
          {state} {number}, {kind === "volunteer" ? "for volunteers" : "for paid work"}
        </dd>
      </div>
      <div>
        <dt>Until</dt>
        <dd>
          {expiresOn < today ? (
            <Status look="bad">{`Ended on ${day}`}</Status>
          ) : expiresOn <= addMonths(today, 3) ? (
            <Status look="warn">{`Ends on ${day}`}</Status>
          ) : (
            day
          )}
        </dd>
      </div>
      <div>
        <dt>Register</dt>
        <dd>
          {revokedAt !== null ? (
            <Status look="bad">{`No longer valid: ${revokedBy}, ${formatDay(dayInSydney(revokedAt))}`}</Status>
          ) : verifiedAt === null ? (
            <Status look="warn">Nobody has looked it up yet</Status>
          ) : (
            <Status look="ok">{`Verified by ${verifiedBy}, ${formatDay(dayInSydney(verifiedAt))}`}</Status>
          )}
        </dd>
      </div>
    </dl>
  );
}

function CheckActs({ data: { application, today }, request, check }: ApplicationProps & { check: Check }) {
  const path = `/admin/volunteers/${application.id}/check`;
  if (check.verifiedAt === null) {
    if (check.expiresOn < today) return null;
    return (
      <ActionForm action={`${path}/verify`} id="verify" request={request}>
        <Note look="warn" title="Look it up in the state’s register before you approve a role that needs it.">
          <p>Name, number and last day must agree. Your name and today’s date are kept as the record.</p>
        </Note>
        <input type="hidden" name="check" value={check.id} />
        <p className="press">
          <button className="btn" type="submit">
            I have verified it on the {check.state} register
          </button>
        </p>
      </ActionForm>
    );
  }
  return check.revokedAt === null ? <Revoke path={path} request={request} check={check} /> : null;
}

/** One that counts until its replacement is verified. */
function EarlierCheck({ data: { application, today }, request }: ApplicationProps) {
  const { id, earlierCheck: check } = application;
  if (check === undefined || check.expiresOn < today) return null;
  return (
    <>
      <p className="hint">
        Until somebody verifies this check, the earlier one counts for shifts: {check.state} {check.number}, until{" "}
        {formatDay(check.expiresOn)}.
      </p>
      {mayChange(request) && <Revoke path={`/admin/volunteers/${id}/check`} request={request} check={check} />}
    </>
  );
}

function Revoke({ path, request, check }: Pick<ApplicationProps, "request"> & { path: string; check: { id: string } }) {
  return (
    <details open={request.form?.action === `${path}/revoke` || undefined}>
      <summary className="btn quiet">The register no longer shows it as valid</summary>
      <ActionForm action={`${path}/revoke`} id="revoke" request={request}>
        <p>From now on it counts for no role and no shift, and cannot be verified again: record a new one instead.</p>
        <input type="hidden" name="check" value={check.id} />
        <p className="press">
          <button className="btn final" type="submit">
            Record that it is no longer valid
          </button>
        </p>
      </ActionForm>
    </details>
  );
}

const kinds = [
  { value: "volunteer", label: "For volunteers" },
  { value: "paid", label: "For paid work" },
];

function RecordCheck({ data: { application, today }, request, isOpen }: ApplicationProps & { isOpen: boolean }) {
  const action = `/admin/volunteers/${application.id}/check`;
  return (
    <details open={isOpen || request.form?.action === action || undefined}>
      <summary className="btn quiet">
        {application.check === undefined ? "Record a check" : "Record another check"}
      </summary>
      <ActionForm action={action} id="check-form" request={request}>
        <input type="hidden" name="replaces" value={application.check?.id ?? ""} />
        <div className="frow">
          <SelectField
            name="state"
            label="Issued by"
            options={[
              { value: "", label: "Choose the state" },
              ...checkStates.map((state) => ({ value: state, label: state })),
            ]}
            defaultValue={application.check?.state ?? ""}
          />
          <SelectField name="kind" label="Kind" options={kinds} defaultValue="volunteer" />
        </div>
        <div className="frow">
          <TextField name="number" label="Number" autoComplete="off" />
          <TextField name="expiresOn" label="Last day" type="date" min={today} />
        </div>
        <ChoiceField
          name="verified"
          label="Register"
          options={[
            { value: "yes", label: "I have verified it on the state’s register", hint: "Recorded with your name" },
          ]}
        />
        <p className="press">
          <button className="btn" type="submit">
            Record the check
          </button>
        </p>
      </ActionForm>
    </details>
  );
}
