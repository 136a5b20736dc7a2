import { hasRight } from "#admin/rights.ts";
import { type ScreenRequest, screen } from "#admin/screen.ts";
import { Icon } from "#admin/ui/icon.tsx";
import { Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { Status } from "#admin/ui/status.tsx";
import { dayInSydney, formatList, plural } from "#shared/language.ts";
import { addMonths } from "../../checks.ts";
import { type LaneName, type ListedApplication, lanes } from "../../server/listed-applications.ts";
import { movesFrom } from "../../stages.ts";
import { waitsTooLong } from "../../waiting.ts";
import { describeCheck, describeListedWait, isMoveShownFirst, moveLabel, moveWords } from "../application-words.ts";
import { ListOrBoard, NoApplications } from "../list-or-board.tsx";
import { stageStatus } from "../stage-status.ts";
import type { Board } from "./board.ts";

const laneTitle = (lane: LaneName) => (lane === "approved" ? "Approved this month" : stageStatus[lane].label);

/** `/admin/volunteers`: the stages as columns. Phones show one column at a time. */
export const boardScreen = screen<Board>({
  path: "/admin/volunteers",
  right: "applications.see",
  section: "volunteers",
  menuLabel: "Applications",
  load: (reads) => reads.readVolunteerBoard(),
  title: () => "Applications to volunteer",
  body: (board, request) => (
    <>
      <PageHead title="Applications to volunteer" about={sumUp(board)} />
      <ListOrBoard here="board" />
      {request.form?.message && (
        <Note look="bad" isNews>
          {request.form.message}
        </Note>
      )}
      {lanes.every((lane) => board.lanes[lane].count === 0) ? (
        <NoApplications />
      ) : (
        <Lanes board={board} request={request} />
      )}
    </>
  ),
});

function sumUp({ waiting, lanes: { received, in_review, waiting: list } }: Board): string {
  const open = received.count + in_review.count + list.count;
  const all = plural(open, { one: "1 is open.", other: `${open} are open.` });
  if (waiting === 0) return `${all} None has waited for us for more than five days.`;
  return `${all} ${plural(waiting, {
    one: "1 has waited for us for more than five days.",
    other: `${waiting} have waited for us for more than five days.`,
  })}`;
}

function Lanes({ board, request }: { board: Board; request: ScreenRequest }) {
  const chosen = lanes.find((lane) => lane === request.query.lane) ?? lanes.find((lane) => board.lanes[lane].count > 0);
  const mayMove = request.staff !== null && hasRight(request.staff, "applications.change");
  return (
    <>
      <nav className="views lane-tabs" aria-label="Columns of the board">
        {lanes.map((lane) => (
          <a href={`/admin/volunteers?lane=${lane}`} aria-current={lane === chosen ? "page" : undefined} key={lane}>
            {laneTitle(lane)}
            <span className="n num">{board.lanes[lane].count}</span>
          </a>
        ))}
      </nav>
      <div className="board" data-enhance={mayMove ? "volunteer-board" : undefined}>
        {lanes.map((lane) => (
          <section
            className={lane === chosen ? "lane here" : "lane"}
            aria-labelledby={`lane-${lane}`}
            data-stage={lane}
            key={lane}
          >
            <h2 id={`lane-${lane}`}>
              {laneTitle(lane)} <span className="num">{board.lanes[lane].count}</span>
            </h2>
            <ul>
              {board.lanes[lane].cards.map((card) => (
                <Card card={card} now={board.now} mayMove={mayMove} key={card.id} />
              ))}
            </ul>
            {board.lanes[lane].count === 0 && <p className="hint">Nobody</p>}
            {board.lanes[lane].count > board.lanes[lane].cards.length && (
              <p className="hint">
                <a href={`/admin/volunteers/list?stage=${lane}`}>See all {board.lanes[lane].count} in the list</a>
              </p>
            )}
          </section>
        ))}
      </div>
      {mayMove && (
        <p className="hint board-keys">
          Drag a card to another column, or use its button Move. By keyboard: <kbd>←</kbd> <kbd>→</kbd> <kbd>↑</kbd>{" "}
          <kbd>↓</kbd> from a name to the next one, <kbd>M</kbd> to move.
        </p>
      )}
    </>
  );
}

type CardProps = { card: ListedApplication; now: Date; mayMove: boolean };

function Card({ card, now, mayMove }: CardProps) {
  const { id, name, wants, state, postcode, stage, since, isAsked } = card;
  const today = dayInSydney(now);
  const check = describeCheck(card, { today, endsSoon: addMonths(today, 3) });
  return (
    <li className="vc" data-id={id}>
      <h3>
        <a href={`/admin/volunteers/${id}`}>
          <bdi>{name}</bdi>
        </a>
      </h3>
      <p>{formatList(wants, "comma")}</p>
      <p className="faint">
        <bdi>{state}</bdi> <bdi>{postcode}</bdi>
      </p>
      <div className="ft">
        {waitsTooLong({ stage, since, isAsked }, now) ? (
          <Status look="warn" icon="clock">
            {describeListedWait(card, now)}
          </Status>
        ) : (
          <span className="num">{describeListedWait(card, now)}</span>
        )}
        {check.look !== "off" && (
          <Status look={check.look} icon={check.look === "ok" || check.look === "plain" ? "shield" : "alert"}>
            {check.label}
          </Status>
        )}
      </div>
      {mayMove && <MoveMenu card={card} />}
    </li>
  );
}

/** Every permitted move. It is made immediately, unless there is something to read first. */
function MoveMenu({ card: { id, name, stage, version } }: Pick<CardProps, "card">) {
  return (
    <details className="menu">
      <summary className="btn quiet small">
        Move
        <span className="sr">
          {" "}
          <bdi>{name}</bdi>
        </span>
        <Icon name="chev" />
      </summary>
      <div className="pop">
        {movesFrom(stage).map((to) =>
          isMoveShownFirst(stage, to) ? (
            <a href={`/admin/volunteers/${id}?act=${to}#act`} data-to={to} key={to}>
              <Icon name={moveWords[to].isTold ? "mail" : "right"} />
              {moveLabel(stage, to)}…
            </a>
          ) : (
            <form method="post" action={`/admin/volunteers/${id}/review`} data-to={to} key={to}>
              <input type="hidden" name="version" value={version} />
              <input type="hidden" name="from" value="board" />
              <button type="submit">
                <Icon name="right" />
                {moveLabel(stage, to)}
              </button>
            </form>
          ),
        )}
      </div>
    </details>
  );
}
