import type { Dashboard, Figure, WaitingLine } from "#admin/dashboard.ts";
import type { StaffMember } from "#admin/rights.ts";
import { screen } from "#admin/screen.ts";
import { Icon, type IconName } from "#admin/ui/icon.tsx";
import { Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import {
  addDays,
  dayInSydney,
  formatDay,
  formatDollars,
  formatNumber,
  hourInSydney,
  plural,
} from "#shared/language.ts";

type Data = Dashboard & { readonly staff: StaffMember; readonly now: Date };

/** `/admin`: what waits for the person, then this month's figures beside last month's. */
export const dashboardScreen = screen<Data>({
  path: "/admin",
  right: "dashboard.see",
  section: "dashboard",
  menuLabel: "Dashboard",
  load: async (reads, { staff }) => ({ ...(await reads.readDashboard(staff!)), staff: staff!, now: reads.now() }),
  title: () => "Dashboard",
  body: ({ staff, now, waiting, figures, isIncomplete }) => (
    <>
      <PageHead title={greet(staff.name, now)} about={`${formatToday(now)}. ${countWaiting(waiting.length)}`} />
      {isIncomplete && <Note look="warn">Part of this page could not be loaded. Reload it to try again.</Note>}
      {waiting.length > 0 && <WaitingList waiting={waiting} />}
      {figures.length > 0 && <Figures figures={figures} now={now} />}
    </>
  ),
});

function greet(name: string, now: Date) {
  const first = name.split(/\s+/u)[0];
  const hour = hourInSydney(now);
  const greeting = hour < 12 ? "Good morning" : hour < 18 ? "Good afternoon" : "Good evening";
  return (
    <>
      {greeting}, <bdi>{first}</bdi>
    </>
  );
}

const formatToday = (now: Date) =>
  formatDay(dayInSydney(now), { weekday: "long", day: "numeric", month: "long", year: "numeric" });

function countWaiting(count: number): string {
  if (count === 0) return "Nothing needs your attention.";
  return plural(count, { one: "One thing needs attention.", other: `${formatNumber(count)} things need attention.` });
}

const waitingIcons: Readonly<Record<WaitingLine["look"], IconName>> = { bad: "flag", act: "clock", warn: "alert" };

function WaitingList({ waiting }: { waiting: readonly WaitingLine[] }) {
  return (
    <section aria-labelledby="h-waiting">
      <div className="sec-h">
        <h2 id="h-waiting">Needs attention</h2>
      </div>
      <ul className="todo">
        {waiting.map(({ text, linkText, path, look }) => (
          <li className={look === "warn" ? undefined : "hot"} key={path + linkText}>
            <Icon name={waitingIcons[look]} />
            <p>
              <a href={path}>{linkText}</a>
              <span className="d">{text}</span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Figures({ figures, now }: { figures: readonly Figure[]; now: Date }) {
  const today = dayInSydney(now);
  const before = sameDayBefore(today);
  const [month, monthBefore] = [today, before].map((day) => formatDay(day, { month: "long" }));
  return (
    <>
      <section className="sec" aria-labelledby="h-month">
        <div className="sec-h">
          <h2 id="h-month">This month against last</h2>
          <ul className="key">
            <li>
              <Line kind="l1" /> {month} so far
            </li>
            <li>
              <Line kind="l2" /> {monthBefore}
            </li>
          </ul>
        </div>
        <div className="figs">
          {figures.map((figure) => (
            <div className="fig" key={figure.label}>
              <h3>{figure.label}</h3>
              <p className="big">{formatShort(figure, figure.now)}</p>
              <p className="del">{describeChange(figure, before)}</p>
              <Growth figure={figure} />
            </div>
          ))}
        </div>
      </section>
      <FigureTable figures={figures} today={today} before={before} />
    </>
  );
}

function FigureTable({ figures, today, before }: { figures: readonly Figure[]; today: string; before: string }) {
  const dayOf = (day: string) => `To ${formatDay(day, { day: "numeric", month: "long" })}`;
  return (
    <section className="sec" aria-labelledby="h-figures">
      <div className="sec-h">
        <h2 id="h-figures">The same in figures</h2>
      </div>
      <div className="tw">
        <table className="cards">
          <caption className="sr">This month so far against the same days of last month</caption>
          <thead>
            <tr>
              <th scope="col">Figure</th>
              <th scope="col" className="num">
                {dayOf(today)}
              </th>
              <th scope="col" className="num">
                {dayOf(before)}
              </th>
            </tr>
          </thead>
          <tbody>
            {figures.map((figure) => (
              <tr key={figure.label}>
                <th scope="row" className="k-c">
                  {figure.label}
                </th>
                <td className="num v-c">{formatWhole(figure, figure.now)}</td>
                <td className="num m-c" data-l={dayOf(before)}>
                  {formatWhole(figure, figure.before)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** The same day of the month before, or that month's last day. */
function sameDayBefore(today: string): string {
  const lastDay = addDays(`${today.slice(0, 7)}-01`, -1);
  const sameDay = `${lastDay.slice(0, 8)}${today.slice(8)}`;
  return sameDay < lastDay ? sameDay : lastDay;
}

const formatWhole = ({ unit }: Figure, value: number) =>
  unit === "cents" ? formatDollars(value) : formatNumber(value);

/** Formats an amount without cents. */
const formatShort = (figure: Figure, value: number) =>
  figure.unit === "cents" ? formatDollars(Math.round(value / 100) * 100).replace(/\.00$/, "") : formatNumber(value);

function describeChange(figure: Figure, before: string) {
  const day = formatDay(before, { day: "numeric", month: "long" });
  const change = formatShort(figure, Math.abs(figure.now - figure.before));
  if (figure.now === figure.before) return `The same as by ${day}`;
  return figure.now > figure.before ? `${change} more than by ${day}` : `${change} less than by ${day}`;
}

const WIDTH = 250;
const HEIGHT = 64;
const DAYS = 31;

/** A line of the figure from day to day; the table below has the numbers. */
function Growth({ figure: { days, daysBefore } }: { figure: Figure }) {
  const top = Math.max(1, ...days, ...daysBefore);
  const place = (value: number, index: number) =>
    `${((index * WIDTH) / (DAYS - 1)).toFixed(1)},${(HEIGHT - 1 - (value / top) * (HEIGHT - 10)).toFixed(1)}`;
  const now = days.map(place);
  const lastX = ((Math.max(days.length - 1, 0) * WIDTH) / (DAYS - 1)).toFixed(1);
  return (
    <svg className="ch" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" focusable="false">
      <path className="g" d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} />
      <polygon className="ar" points={`0,${HEIGHT - 1} ${now.join(" ")} ${lastX},${HEIGHT - 1}`} />
      <polyline className="l2" points={daysBefore.map(place).join(" ")} />
      <polyline className="l1" points={now.join(" ")} />
    </svg>
  );
}

function Line({ kind }: { kind: "l1" | "l2" }) {
  return (
    <svg className="ch" viewBox="0 0 16 12" aria-hidden="true" focusable="false">
      <path className={kind} d="M0 6H16" />
    </svg>
  );
}
