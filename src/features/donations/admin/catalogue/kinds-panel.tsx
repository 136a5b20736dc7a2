import type { ScreenRequest } from "#admin/screen.ts";
import { ActionForm, TextField } from "#admin/ui/form.tsx";
import { Status } from "#admin/ui/status.tsx";
import { formatDollars } from "#shared/language.ts";
import type { Cause, CauseKind } from "../../server/find-cause.ts";
import { causeScreenPath } from "./catalogue-step.ts";

type Props = { readonly cause: Cause; readonly request: ScreenRequest; readonly isEditor: boolean };

/** Goat, Cow share, Cow: each with its price today. */
export function KindsPanel({ cause, request, isEditor }: Props) {
  const offered = cause.kinds.filter(({ isRetired }) => !isRetired);
  return (
    <section className="panel" aria-labelledby="kinds">
      <h2 id="kinds">Kinds</h2>
      <ul className="kinds">
        {cause.kinds.map((kind) => (
          <li key={kind.id}>
            <p>
              <b>
                <bdi>{kind.title}</bdi>
              </b>
              {kind.cents !== null && ` ${formatDollars(kind.cents)}`}{" "}
              {kind.isRetired && <Status look="off">Not on offer</Status>}
            </p>
            {isEditor && (
              <KindForm
                cause={cause}
                kind={kind}
                request={request}
                isFirst={kind === offered[0]}
                isLast={kind === offered.at(-1)}
              />
            )}
          </li>
        ))}
      </ul>
      {isEditor && (
        <details open={request.form?.action === `${causeScreenPath(cause)}/kinds`}>
          <summary>Add a kind</summary>
          <ActionForm action={`${causeScreenPath(cause)}/kinds`} id="new-kind" request={request}>
            <TextField name="title" label="Title" />
            {!cause.isFree && <TextField name="dollars" label="Price of one" prefix="$" inputMode="decimal" />}
            <button className="btn quiet" type="submit">
              Add this kind
            </button>
          </ActionForm>
        </details>
      )}
    </section>
  );
}

type KindProps = {
  readonly cause: Cause;
  readonly kind: CauseKind;
  readonly request: ScreenRequest;
  readonly isFirst: boolean;
  readonly isLast: boolean;
};

function KindForm({ cause, kind, request, isFirst, isLast }: KindProps) {
  const action = `${causeScreenPath(cause)}/kinds/${kind.id}`;
  const name = (words: string) => `${words}: ${kind.title}`;
  return (
    <details open={request.form?.action === action}>
      <summary aria-label={name("Change")}>Change</summary>
      <ActionForm action={action} id={`kind-${kind.id}`} request={request}>
        <input type="hidden" name="was" value={kind.title} />
        <TextField name="title" label="Title" defaultValue={kind.title} />
        <div className="acts">
          <button className="btn quiet" type="submit" name="next" value="save" aria-label={name("Save the title")}>
            Save
          </button>
          {kind.isRetired ? (
            <KindButton next="bring-back" label="Bring it back" name={name} />
          ) : (
            <>
              {!isFirst && <KindButton next="up" label="Up" name={name} />}
              {!isLast && <KindButton next="down" label="Down" name={name} />}
              <KindButton next="retire" label="Take it out" name={name} />
            </>
          )}
        </div>
      </ActionForm>
    </details>
  );
}

type ButtonProps = { readonly next: string; readonly label: string; readonly name: (words: string) => string };

function KindButton({ next, label, name }: ButtonProps) {
  return (
    <button className="btn plain" type="submit" name="next" value={next} aria-label={name(label)}>
      {label}
    </button>
  );
}
