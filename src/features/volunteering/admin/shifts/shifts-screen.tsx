import { type ScreenRequest, screen } from "#admin/screen.ts";
import { addressWith, Pager } from "#admin/ui/filters.tsx";
import { ActionForm, TextField } from "#admin/ui/form.tsx";
import { Empty } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { Status } from "#admin/ui/status.tsx";
import type { ListedShift } from "../../server/shifts.ts";
import { describeShiftTimes } from "../../shift.ts";
import { mayChange } from "../application/application-props.ts";
import { shiftsPath } from "./shift-actions.ts";
import { ShiftFormFields } from "./shift-form.tsx";
import type { ShiftChoices, ShiftList } from "./shifts-part.ts";

/** `/admin/volunteers/shifts`: what is ahead, soonest first, then what is over. */
export const shiftsScreen = screen<ShiftList>({
  path: shiftsPath,
  right: "applications.see",
  section: "volunteers",
  menuLabel: "Shifts",
  load: (reads, { query }) => reads.listVolunteerShifts(query),
  title: () => "Shifts",
  body: ({ ahead, over, isFirst }, request) => (
    <>
      <PageHead title="Shifts" about="Volunteers sign up on the page of their application.">
        {mayChange(request) && (
          <a className="btn" href={`${shiftsPath}/new`}>
            Plan a shift
          </a>
        )}
      </PageHead>
      {ahead.rows.length === 0 && over.rows.length === 0 ? (
        <NoShifts isFirst={isFirst} />
      ) : (
        <>
          {isFirst && ahead.rows.length === 0 && <p className="hint">No shift is planned.</p>}
          <Shifts
            title="Coming up"
            caption="Coming shifts, soonest first"
            name="ahead"
            page={ahead}
            isFirst={isFirst}
          />
          <Shifts title="Past" caption="Past shifts, latest first" name="over" page={over} isFirst={isFirst} />
        </>
      )}
    </>
  ),
});

function NoShifts({ isFirst }: Pick<ShiftList, "isFirst">) {
  if (isFirst) {
    return (
      <Empty title="No shifts yet" picture="spot-volunteer">
        <p>Plan one, and say how many people you need in each role. Volunteers see it on their own page.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No more shifts">
      <p>
        <a href={shiftsPath}>See all shifts</a>
      </p>
    </Empty>
  );
}

type ShiftsProps = Pick<ShiftList, "isFirst"> & {
  readonly title: string;
  readonly caption: string;
  /** In the address, of the place at which a page begins. */
  readonly name: "ahead" | "over";
  readonly page: ShiftList["ahead"];
};

/** A page of coming or of past shifts. */
function Shifts({ title, caption, name, page: { rows, next }, isFirst }: ShiftsProps) {
  if (rows.length === 0) return null;
  const isOver = name === "over";
  return (
    <section className="sec" aria-labelledby={name}>
      <div className="sec-h">
        <h2 id={name}>{title}</h2>
      </div>
      <div className="tw">
        <table className="cards">
          <caption className="sr">{caption}</caption>
          <thead>
            <tr>
              <th scope="col">Shift</th>
              <th scope="col">When</th>
              <th scope="col">State</th>
              <th scope="col" className="num">
                {isOver ? "Hours recorded" : "Signed up"}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((shift) => (
              <tr key={shift.id} data-id={shift.id}>
                <th scope="row" className="k-c">
                  <a className="k" href={`${shiftsPath}/${shift.id}`}>
                    <bdi>{shift.title}</bdi>
                  </a>
                  {shift.place !== "" && (
                    <span className="two-l">
                      <bdi>{shift.place}</bdi>
                    </span>
                  )}
                </th>
                <td className="m-c">{describeShiftTimes(shift, "short")}</td>
                <td className="s-c">
                  <ShiftState shift={shift} isOver={isOver} />
                </td>
                <td className="num v-c">
                  {isOver ? `${shift.recorded} of ${shift.taken}` : `${shift.taken} of ${shift.wanted}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pager
        label={`Pages of shifts: ${title}`}
        newer={isFirst ? null : shiftsPath}
        older={next && addressWith(shiftsPath, { [name]: next })}
        isByTime={false}
      />
    </section>
  );
}

function ShiftState({
  shift: { isCancelled, taken, wanted, recorded },
  isOver,
}: {
  shift: ListedShift;
  isOver: boolean;
}) {
  if (isCancelled) return <Status look="off">Cancelled</Status>;
  if (isOver) {
    return recorded < taken ? <Status look="act">Record who came</Status> : <Status look="ok">Recorded</Status>;
  }
  return taken < wanted ? <Status look="warn">Needs people</Status> : <Status look="ok">Full</Status>;
}

/** `/admin/volunteers/shifts/new` */
export const newShiftScreen = screen<ShiftChoices & { readonly now: Date }>({
  path: `${shiftsPath}/new`,
  right: "applications.change",
  section: "volunteers",
  load: (reads) => reads.readShiftChoices(),
  title: () => "Plan a shift",
  body: (choices, request) => (
    <>
      <PageHead title="Plan a shift" crumbs={[{ label: "Shifts", path: shiftsPath }]} />
      <NewShift choices={choices} request={request} />
    </>
  ),
});

function NewShift({ choices, request }: { choices: ShiftChoices; request: ScreenRequest }) {
  return (
    <ActionForm action={`${shiftsPath}/new`} id="shift" request={request} className="narrow-form">
      <ShiftFormFields choices={choices} />
      <TextField
        name="repeat"
        label="Every week until"
        hint="Plans one shift a week, on the same weekday. Leave it empty for a single shift."
        isOptional
        type="date"
      />
      <p className="row press">
        <button className="btn" type="submit">
          Plan the shift
        </button>
        <a className="btn quiet" href={shiftsPath}>
          Cancel
        </a>
      </p>
    </ActionForm>
  );
}
