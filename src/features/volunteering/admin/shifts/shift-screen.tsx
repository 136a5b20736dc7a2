import { type ScreenRequest, screen } from "#admin/screen.ts";
import { ActionForm, SelectField, TextField } from "#admin/ui/form.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { Status } from "#admin/ui/status.tsx";
import { plural } from "#shared/language.ts";
import { describeShiftTimes, minutesOf, writeHours } from "../../shift.ts";
import { mayChange } from "../application/application-props.ts";
import { hoursField, shiftsPath, shownField } from "./shift-actions.ts";
import { ShiftFormFields } from "./shift-form.tsx";
import type { ShiftScreenData } from "./shifts-part.ts";

type Props = { readonly data: ShiftScreenData; readonly request: ScreenRequest };

/** `/admin/volunteers/shifts/{id}`: who comes and, once it has begun, how long they stayed. */
export const shiftScreen = screen<ShiftScreenData>({
  path: `${shiftsPath}/:id`,
  right: "applications.see",
  section: "volunteers",
  load: (reads, { params }) => reads.findVolunteerShift(params.id!),
  title: ({ shift }) => shift.title,
  body: (data, request) => (
    <>
      <PageHead
        crumbs={[{ label: "Shifts", path: shiftsPath }]}
        title={
          <span className="row">
            <bdi>{data.shift.title}</bdi>
            {data.shift.cancelledAt !== null && <Status look="off">Cancelled</Status>}
          </span>
        }
        about={
          <>
            {describeShiftTimes(data.shift, "short")}
            {data.shift.place !== "" && (
              <>
                , <bdi>{data.shift.place}</bdi>
              </>
            )}
            {data.shift.eventTitle !== null && (
              <>
                , for <bdi>{data.shift.eventTitle}</bdi>
              </>
            )}
          </>
        }
      />
      <div className="split">
        <div>
          <Wanted data={data} request={request} />
          <People data={data} request={request} />
          <Left data={data} request={request} />
        </div>
        <div>{mayActOn(data, request) && <Change data={data} request={request} />}</div>
      </div>
    </>
  ),
});

const presentIn = ({ places }: ShiftScreenData["shift"]) => places.filter(({ leftAt }) => leftAt === null);
const mayActOn = ({ shift }: ShiftScreenData, request: ScreenRequest) =>
  mayChange(request) && shift.cancelledAt === null;
const hasBegun = ({ shift, now }: ShiftScreenData) => shift.startsAt <= now;
const isOver = ({ shift, now }: ShiftScreenData) => shift.endsAt <= now;

/** How many are wanted and have signed up, by role. */
function Wanted({ data: { shift } }: Props) {
  const roles = shift.roles.filter(({ wanted }) => wanted > 0);
  const takenOf = (role: string) => presentIn(shift).filter((place) => place.role === role).length;
  return (
    <section aria-labelledby="wanted">
      <div className="sec-h">
        <h2 id="wanted">People needed</h2>
      </div>
      <dl className="kv">
        {roles.map(({ role, wanted, needsCheck }) => (
          <div key={role}>
            <dt>{role}</dt>
            <dd>
              <span className="tn">{`${takenOf(role)} of ${wanted}`}</span>
              {needsCheck && ", with a valid check on the day"}
            </dd>
          </div>
        ))}
      </dl>
      {shift.notes !== "" && (
        <p className="typed" dir="auto">
          {shift.notes}
        </p>
      )}
    </section>
  );
}

function People({ data, request }: Props) {
  const { shift, people } = data;
  const present = presentIn(shift);
  const path = `${shiftsPath}/${shift.id}`;
  const mayAct = mayActOn(data, request);
  return (
    <section className="sec" aria-labelledby="people">
      <div className="sec-h">
        <h2 id="people">{hasBegun(data) ? "Who came" : "Signed up"}</h2>
        <p>{plural(present.length, { one: "1 person", other: `${present.length} people` })}</p>
      </div>
      {present.length === 0 && <p className="hint">Nobody has signed up.</p>}
      {present.length > 0 &&
        (hasBegun(data) && mayAct ? <Hours data={data} request={request} /> : <Names data={data} request={request} />)}
      {mayAct && people.length > 0 && (
        <ActionForm action={`${path}/add`} id="add" request={request} className="add-person">
          <h3>Add a volunteer</h3>
          <div className="frow">
            <SelectField
              name="person"
              label="Volunteer"
              options={[
                { value: "", label: "Choose" },
                ...people.map(({ id, name, roles }) => ({ value: id, label: `${name} (${roles.join(", ")})` })),
              ]}
            />
            <SelectField
              name="role"
              label="Role"
              options={shift.roles.filter(({ wanted }) => wanted > 0).map(({ role }) => ({ value: role, label: role }))}
            />
          </div>
          <p className="press">
            <button className="btn quiet" type="submit">
              Add to the shift
            </button>
          </p>
        </ActionForm>
      )}
    </section>
  );
}

function Names({ data, request }: Props) {
  const { shift } = data;
  const mayAct = mayActOn(data, request);
  return (
    <ul className="rows">
      {presentIn(shift).map(({ id, name, role, mobile, minutes, remindedAt, applicationId }) => (
        <li key={id} className="row">
          <span>
            <a href={`/admin/volunteers/${applicationId}`}>
              <bdi>{name}</bdi>
            </a>
            <span className="two-l">
              {role}
              {minutes === null ? (
                <>
                  , <bdi className="tn">{mobile}</bdi>
                  {remindedAt !== null && ", reminded by email"}
                </>
              ) : (
                `, ${writeHours(minutes)} hours`
              )}
            </span>
          </span>
          {mayAct && (
            <form method="post" action={`${shiftsPath}/${shift.id}/take-out`} className="push">
              <input type="hidden" name="person" value={applicationId} />
              <button className="btn plain" type="submit">
                Remove
                <span className="sr">
                  {" "}
                  <bdi>{name}</bdi>
                </span>
              </button>
            </form>
          )}
        </li>
      ))}
    </ul>
  );
}

/** One field for each person: hours, 0 if they did not come. */
function Hours({ data, request }: Props) {
  const { shift } = data;
  const usual = writeHours(minutesOf(shift));
  return (
    <ActionForm action={`${shiftsPath}/${shift.id}/hours`} id="hours" request={request}>
      <p className="hint">Enter each person’s hours, such as {usual} or 2:30. Enter 0 if they did not come.</p>
      <div className="wanted">
        {presentIn(shift).map(({ id, name, role, mobile, minutes }) => (
          <TextField
            key={id}
            name={hoursField(id)}
            label={name}
            hint={`${role}, ${mobile}`}
            inputMode="decimal"
            autoComplete="off"
            defaultValue={minutes !== null ? writeHours(minutes) : isOver(data) ? usual : undefined}
          />
        ))}
      </div>
      {presentIn(shift).map(({ id, minutes }) => (
        <input type="hidden" name={shownField(id)} value={minutes === null ? "" : writeHours(minutes)} key={id} />
      ))}
      <p className="press">
        <button className="btn" type="submit">
          Record the hours
        </button>
      </p>
    </ActionForm>
  );
}

const reasons = {
  withdrew: "Withdrew or was removed",
  unfit: "Lost the place: their role or check no longer allows it",
  cancelled: "Shift cancelled",
} as const;

function Left({ data: { shift } }: Props) {
  const left = shift.places.filter(({ leftAt }) => leftAt !== null);
  if (left.length === 0) return null;
  return (
    <section className="sec" aria-labelledby="left">
      <div className="sec-h">
        <h2 id="left">No longer coming</h2>
      </div>
      <ul className="rows">
        {left.map(({ id, name, role, leftBecause }) => (
          <li key={id}>
            <bdi>{name}</bdi>
            <span className="two-l">
              {role}. {leftBecause && reasons[leftBecause]}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Change({ data, request }: Props) {
  const { shift, choices } = data;
  const path = `${shiftsPath}/${shift.id}`;
  return (
    <>
      <section className="panel" aria-labelledby="change">
        <h2 id="change">Change the shift</h2>
        <ActionForm action={`${path}/change`} id="shift" request={request}>
          <input type="hidden" name="version" value={shift.version} />
          <ShiftFormFields choices={choices} shift={shift} />
          <p className="hint">
            We email everybody who has signed up about another day, time or place, and those who lose their place
            because their check ends before the new day.
          </p>
          <p className="press">
            <button className="btn" type="submit">
              Save
            </button>
          </p>
        </ActionForm>
      </section>
      {!isOver(data) && (
        <section className="panel" aria-labelledby="cancel">
          <h2 id="cancel">Cancel the shift</h2>
          <ActionForm action={`${path}/cancel`} id="cancel-form" request={request}>
            <p>We email everybody who signed up. You cannot undo this.</p>
            <p className="press">
              <button className="btn final" type="submit">
                Cancel the shift
              </button>
            </p>
          </ActionForm>
        </section>
      )}
    </>
  );
}
