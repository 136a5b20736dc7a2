import { type ScreenRequest, screen } from "#admin/screen.ts";
import { addressWith, Filters, Pager, SearchFilter, SelectFilter } from "#admin/ui/filters.tsx";
import { ActionForm } from "#admin/ui/form.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { Empty } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { plural } from "#shared/language.ts";
import { mayChange } from "../list-screen.tsx";
import type { PictureList } from "./picture-reads.ts";

const path = "/admin/pictures";

/** Every picture that staff added. */
export const libraryScreen = screen<PictureList>({
  path,
  right: "content.see",
  section: "content",
  menuLabel: "Pictures",
  load: ({ listPictures }, { query }) => listPictures(query),
  title: () => "Pictures",
  body: (list, request) => <LibraryBody list={list} request={request} />,
});

function LibraryBody({ list, request }: { list: PictureList; request: ScreenRequest }) {
  const { pictures, q, isUnused, page, hasMore } = list;
  const used = isUnused ? "nowhere" : "";
  const at = (number: number) => addressWith(path, { q, used, page: number > 1 ? String(number) : "" });
  const isAll = q === "" && !isUnused;
  return (
    <>
      <PageHead
        title="Pictures"
        about="Pictures for pages, news and everything else. Describe a picture in words wherever you use it."
      />
      {mayChange(request) && <AddForm request={request} />}
      <div className="list-search">
        <Filters label="Search pictures" path={path}>
          <SearchFilter value={q} label="Name" placeholder="Words in the name" errors={{}} />
          <SelectFilter
            name="used"
            label="Used"
            value={used}
            options={[
              { value: "", label: "All pictures" },
              { value: "nowhere", label: "Nowhere" },
            ]}
            errors={{}}
          />
        </Filters>
      </div>
      {pictures.length === 0 ? <Nothing isAll={isAll && page === 1} /> : <Pictures pictures={pictures} />}
      <Pager label="Pages of the list" newer={page === 1 ? null : at(page - 1)} older={hasMore ? at(page + 1) : null} />
    </>
  );
}

const describeUses = (count: number) =>
  count === 0 ? "Used nowhere" : plural(count, { one: "Used once", other: `Used ${count} times` });

function Pictures({ pictures }: Pick<PictureList, "pictures">) {
  return (
    <ul className="pics">
      {pictures.map(({ hash, name, thumbnail, uses, replacedBy }) => (
        <li className="pic" key={hash}>
          <img src={thumbnail} alt="" width="200" height="150" loading="lazy" />
          <a href={`${path}/${hash}`}>
            <bdi>{name}</bdi>
            <small>{replacedBy !== null && uses === 0 ? "Replaced" : describeUses(uses)}</small>
          </a>
        </li>
      ))}
    </ul>
  );
}

function Nothing({ isAll }: { isAll: boolean }) {
  if (isAll) {
    return (
      <Empty title="There are no pictures yet" picture="spot-vision">
        <p>Add the first one above. It then appears here, and wherever you choose a picture.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No pictures found">
      <p>
        <a href={path}>Show all</a>
      </p>
    </Empty>
  );
}

/** Several files at once. With script each shows how far it is; without, they go in one form. */
function AddForm({ request }: { request: ScreenRequest }) {
  const errors = (request.form?.action === path && request.form.errors.pictures) || [];
  return (
    <ActionForm action={path} id="add-pictures" request={request} className="add-pictures" hasFiles>
      <div className={errors.length > 0 ? "drop has-err" : "drop"} data-enhance="upload-pictures">
        <Icon name="up" />
        <label htmlFor="add-pictures-files">
          <b>Add pictures</b>
        </label>
        {errors.map((error) => (
          <span className="err" key={error}>
            <Icon name="alert" />
            <bdi>{error}</bdi>
          </span>
        ))}
        <input
          type="file"
          id="add-pictures-files"
          name="pictures"
          multiple
          accept="image/jpeg,image/png,image/webp"
          aria-describedby="add-pictures-hint"
          aria-invalid={errors.length > 0 ? true : undefined}
        />
        <p className="hint" id="add-pictures-hint">
          JPEG, PNG or WebP, up to 10 MB each. <noscript>At most 20 at a time, and 20 MB together.</noscript>
        </p>
        <button className="btn" type="submit">
          Add them
        </button>
      </div>
    </ActionForm>
  );
}
