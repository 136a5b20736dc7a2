import type { DescribedAct } from "#admin/acts.ts";
import { type ScreenRequest, screen } from "#admin/screen.ts";
import { Acts } from "#admin/ui/acts.tsx";
import { ActionForm, FileField, TextField } from "#admin/ui/form.tsx";
import { Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { Status } from "#admin/ui/status.tsx";
import { When } from "#admin/ui/when.tsx";
import type { Picture } from "#shared/images/picture.ts";
import { ContentPicture } from "#shared/images/ui/picture.tsx";
import { formatNumber, plural } from "#shared/language.ts";
import type { PictureUse } from "../../server/pictures/uses.ts";
import { mayChange } from "../list-screen.tsx";
import { changeableOf } from "./picture-actions.ts";
import type { OnePicture } from "./picture-reads.ts";

type Shown = { readonly one: OnePicture; readonly acts: readonly DescribedAct[]; readonly now: Date };

/** One picture: what stays in view, where it is used, and another in its place. */
export const pictureScreen = screen<Shown>({
  path: "/admin/pictures/:hash",
  right: "content.see",
  section: "content",
  load: async ({ findPicture, listActs, now }, { params }) => {
    const one = await findPicture(params.hash!);
    if (one === null) return null;
    return { one, acts: await listActs({ subject: "pictures", subjectId: one.picture.hash }), now: now() };
  },
  title: ({ one }) => one.picture.name,
  body: (shown, request) => <PictureBody shown={shown} request={request} />,
});

function PictureBody({ shown: { one, acts, now }, request }: { shown: Shown; request: ScreenRequest }) {
  const { picture, described, uses, replacement } = one;
  return (
    <>
      <PageHead title={<bdi>{picture.name}</bdi>} crumbs={[{ label: "Pictures", path: "/admin/pictures" }]} />
      {replacement !== null && (
        <div className="editor-note">
          <Note>
            <a href={`/admin/pictures/${replacement.hash}`}>
              <bdi>{replacement.name}</bdi>
            </a>{" "}
            has replaced this picture.
          </Note>
        </div>
      )}
      <div className="split">
        <div>
          <div className="focal" data-enhance="focal-point">
            <img src={described.address} alt="" width={described.width} height={described.height} />
          </div>
          <section className="picture-part" aria-labelledby="shapes">
            <h2 id="shapes">How the site crops it</h2>
            <Crops picture={described} />
          </section>
          <section className="picture-part" aria-labelledby="uses">
            <h2 id="uses">Where it is used</h2>
            <Uses uses={uses} />
          </section>
          <section className="picture-part" aria-labelledby="history">
            <h2 id="history">What was done</h2>
            <Acts acts={acts} now={now} nothing="It came with the site." />
          </section>
        </div>
        <aside aria-label="This picture">
          {mayChange(request) && <ChangePanel one={one} request={request} />}
          <Facts one={one} now={now} />
          {mayChange(request) && <ReplacePanel one={one} request={request} />}
          {mayChange(request) && <DeletePanel one={one} request={request} />}
        </aside>
      </div>
    </>
  );
}

/** The shapes that pages cut pictures to, as their stylesheets and the sharing picture have them. */
const crops = [
  { name: "card", label: "Cards, articles, gallery" },
  { name: "lead", label: "First of the news" },
  { name: "square", label: "Above an article, if tall" },
  { name: "head", label: "Head of a page" },
  { name: "face", label: "Testimonial" },
  { name: "arch", label: "Card that asks to give" },
  { name: "hero", label: "Beside the first words" },
  { name: "shared", label: "Shared links" },
] as const;

function Crops({ picture }: { picture: Picture }) {
  return (
    <div className="crops" data-crops="">
      {crops.map(({ name, label }) => (
        <figure className={`crop-${name}`} key={name}>
          <ContentPicture picture={picture} alt="" sizes="9rem" />
          <figcaption>{label}</figcaption>
        </figure>
      ))}
    </div>
  );
}

function Uses({ uses }: { uses: readonly PictureUse[] }) {
  if (uses.length === 0) return <p className="muted">It is not used anywhere, on the site or in a draft.</p>;
  return (
    <ul className="uses">
      {uses.map(({ kind, item, title, path, isPublished, isDraft }) => (
        <li key={`${kind} ${item ?? title}`}>
          {path === null ? <bdi>{title}</bdi> : <a href={path}>{title}</a>}{" "}
          {isPublished && <Status look="ok">Published</Status>} {isDraft && <Status look="plain">In a draft</Status>}
        </li>
      ))}
    </ul>
  );
}

const pathOf = ({ picture }: OnePicture) => `/admin/pictures/${picture.hash}`;

function ChangePanel({ one, request }: { one: OnePicture; request: ScreenRequest }) {
  const { name, focusX, focusY } = one.picture;
  return (
    <section className="panel" aria-labelledby="change">
      <h2 id="change">Name and focal point</h2>
      <ActionForm action={pathOf(one)} id="change-picture" request={request} className="picture-form">
        <input type="hidden" name="was" value={changeableOf(one.picture)} />
        <TextField name="name" label="Name" hint="Only staff see it." defaultValue={name} />
        <p className="hint" id="focus-hint">
          Click what must stay in view when the site crops the picture, or enter its position in per cent.
        </p>
        <div className="frow">
          <TextField
            name="x"
            label="From the left, %"
            inputMode="numeric"
            defaultValue={focusX}
            aria-describedby="focus-hint"
          />
          <TextField
            name="y"
            label="From the top, %"
            inputMode="numeric"
            defaultValue={focusY}
            aria-describedby="focus-hint"
          />
        </div>
        <div className="acts">
          <button className="btn" type="submit">
            Save
          </button>
        </div>
      </ActionForm>
    </section>
  );
}

function Facts({ one: { picture, described }, now }: { one: OnePicture; now: Date }) {
  const { width, height, originalBytes, addedAt, addedBy } = picture;
  const megabytes = originalBytes === null ? null : Math.max(0.1, Math.round(originalBytes / 104_857.6) / 10);
  return (
    <section className="panel" aria-labelledby="facts">
      <h2 id="facts">This picture</h2>
      <dl className="kv">
        <div>
          <dt>Address</dt>
          <dd className="as-typed">{described.address}</dd>
        </div>
        <div>
          <dt>Original</dt>
          <dd>
            {formatNumber(width)} by {formatNumber(height)}
            {megabytes === null ? ", not kept" : `, ${megabytes} MB, kept privately`}
          </dd>
        </div>
        <div>
          <dt>Added</dt>
          <dd>
            <When at={addedAt} now={now} />
            {addedBy !== null && (
              <>
                {" "}
                by <bdi>{addedBy}</bdi>
              </>
            )}
          </dd>
        </div>
      </dl>
    </section>
  );
}

function ReplacePanel({ one, request }: { one: OnePicture; request: ScreenRequest }) {
  const { length } = one.uses;
  const places = plural(length, { one: "the one place", other: `all ${length} places` });
  return (
    <section className="panel" aria-labelledby="replace">
      <h2 id="replace">Replace it with another</h2>
      <ActionForm
        action={`${pathOf(one)}/replace`}
        id="replace-picture"
        request={request}
        className="picture-form"
        hasFiles
      >
        <p className="small">
          {length === 0
            ? "It is not used anywhere, so this only adds the new one."
            : `The new file replaces it immediately in ${places}. Published items stay published, and drafts stay drafts. Check there that the words still fit.`}
        </p>
        <FileField
          name="file"
          label="File"
          hint="JPEG, PNG or WebP, up to 10 MB."
          accept="image/jpeg,image/png,image/webp"
        />
        <div className="acts">
          <button className="btn quiet" type="submit">
            {length === 0 ? "Add the new one" : "Replace it everywhere"}
          </button>
        </div>
      </ActionForm>
    </section>
  );
}

function DeletePanel({ one, request }: { one: OnePicture; request: ScreenRequest }) {
  const action = `${pathOf(one)}/delete`;
  const isRefused = request.form?.action === action;
  return (
    <section className="panel" aria-labelledby="delete">
      <h2 id="delete">Delete</h2>
      {one.uses.length > 0 && !isRefused ? (
        <p className="small">It cannot be deleted while something uses it.</p>
      ) : (
        <ActionForm action={action} id="delete-picture" request={request}>
          <details open={isRefused}>
            <summary>Delete it for good</summary>
            <p className="small">
              Its file is deleted too, and you cannot bring it back. Earlier versions of pages and items that showed it
              stay, without the picture.
            </p>
            <button className="btn final" type="submit">
              Delete this picture
            </button>
          </details>
        </ActionForm>
      )}
    </section>
  );
}
