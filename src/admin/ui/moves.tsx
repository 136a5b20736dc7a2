import type { Move } from "../moves.ts";
import { Icon } from "./icon.tsx";
import { When } from "./when.tsx";

/** Everything that happened to something, in plain words. */
export function Moves({ moves }: { moves: readonly Move[] }) {
  return (
    <section className="sec" aria-labelledby="happened">
      <div className="sec-h">
        <h2 id="happened">What happened</h2>
      </div>
      <ol className="tl">
        {moves.map((move) => (
          <MoveRow move={move} key={move.key} />
        ))}
      </ol>
    </section>
  );
}

function MoveRow({ move: { at, icon, who, text, path, detail, quote } }: { move: Move }) {
  return (
    <li>
      <span className="dot">
        <Icon name={icon} />
      </span>
      <div>
        <p>
          {who !== undefined && (
            <>
              <b>
                <bdi>{who}</bdi>
              </b>{" "}
            </>
          )}
          {path === undefined ? text : <a href={path}>{text}</a>}
        </p>
        {quote !== undefined && (
          <p className="d typed" dir="auto">
            “{quote}”
          </p>
        )}
        {detail !== undefined && (
          <p className="d">
            <bdi>{detail}</bdi>
          </p>
        )}
      </div>
      <When at={at} withSeconds={who === undefined} />
    </li>
  );
}
