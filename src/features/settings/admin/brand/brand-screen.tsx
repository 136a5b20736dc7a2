import type { DescribedAct } from "#admin/acts.ts";
import { hasRight } from "#admin/rights.ts";
import { type ScreenRequest, screen } from "#admin/screen.ts";
import { Acts } from "#admin/ui/acts.tsx";
import { ActionForm } from "#admin/ui/form.tsx";
import { Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { When } from "#admin/ui/when.tsx";
import { checkPairs } from "#shared/brand/shades.ts";
import type { SiteBrand } from "#shared/brand/site-brand.ts";
import { plural } from "#shared/language.ts";
import { listBrandChanges, listBrandValues } from "../../brand-fields.ts";
import type { BrandVersion, PublishedBrand } from "../../server/brand-store.ts";
import { BrandForm } from "./brand-form.tsx";
import { BRAND_PATH, previewPages } from "./brand-part.ts";
import { Contrast } from "./contrast-panel.tsx";

type Shown = {
  readonly version: BrandVersion;
  /** As the form found it, if somebody has changed it since. */
  readonly base: SiteBrand | null;
  readonly published: readonly PublishedBrand[];
  readonly acts: readonly DescribedAct[];
  readonly now: Date;
};

export const brandScreen = screen<Shown>({
  path: BRAND_PATH,
  right: "settings.see",
  section: "settings",
  menuLabel: "Brand",
  load: async ({ readBrandVersion, findBrandBase, listPublishedBrands, listActs, now }, { form }) => {
    const [version, published, acts] = await Promise.all([
      readBrandVersion(),
      listPublishedBrands(),
      listActs([{ subject: "brand", subjectId: "brand" }]),
    ]);
    const from = Number(form?.values.from?.[0] ?? version.number);
    const isOld = Number.isInteger(from) && from >= 0 && from < version.number;
    return { version, base: isOld ? await findBrandBase(from) : null, published, acts, now: now() };
  },
  title: () => "Brand",
  body: (shown, request) => <BrandBody shown={shown} request={request} />,
});

function BrandBody({ shown, request }: { shown: Shown; request: ScreenRequest }) {
  const { version, base, published, acts, now } = shown;
  const mayChange = request.staff !== null && hasRight(request.staff, "settings.change");
  return (
    <>
      <PageHead
        title="Brand"
        about="Logo, colours, fonts and pictures of the site, its emails, receipts and tickets."
      />
      <State version={version} request={request} now={now} mayChange={mayChange} />
      {mayChange ? (
        <BrandForm version={version} base={base} request={request} />
      ) : (
        <section className="panel" aria-labelledby="chosen">
          <h2 id="chosen">What was chosen</h2>
          <dl className="kv wide">
            {listBrandValues(version.brand).map(({ name, label, text }) => (
              <div key={name}>
                <dt>{label}</dt>
                <dd>{text || <span className="muted">Nothing</span>}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      <Contrast colours={version.brand} mayChange={mayChange} />
      <History published={published} version={version} now={now} request={request} mayChange={mayChange} />
      <section className="panel" aria-labelledby="acts">
        <h2 id="acts">What was changed</h2>
        <Acts acts={acts} now={now} nothing="Nothing was changed yet: the site looks as delivered." />
      </section>
    </>
  );
}

type StateProps = { version: BrandVersion; request: ScreenRequest; now: Date; mayChange: boolean };

/** Whether there is a draft, how it looks, and what to do with it. */
function State({ version, request, now, mayChange }: StateProps) {
  const { brand, published, isDraft, savedBy, savedAt, number } = version;
  const changes = listBrandChanges(published, brand)?.changed ?? [];
  const failing = checkPairs(brand).filter(({ passes }) => !passes).length;
  return (
    <section className="panel" aria-labelledby="state">
      <h2 id="state">{isDraft ? "A draft waits" : "Visitors see this"}</h2>
      {isDraft && (
        <p>
          {plural(changes.length, {
            one: "One thing differs from what visitors see.",
            other: `${changes.length} things differ from what visitors see.`,
          })}
        </p>
      )}
      {isDraft && savedAt !== null && (
        <p className="muted small">
          <When at={savedAt} now={now} />, by{" "}
          {savedBy === null ? "somebody outside the back office" : <bdi>{savedBy}</bdi>}
        </p>
      )}
      {failing > 0 && (
        <Note look="bad" title="Some people could not read these colours">
          You can publish once every pair passes. <a href="#contrast">See what fails, and take a shade that passes</a>.
        </Note>
      )}
      <form method="post" action={`${BRAND_PATH}/preview`} target="_blank" className="previews" rel="noopener">
        <p className="small">{isDraft ? "See the draft in a new tab:" : "See it in a new tab:"}</p>
        <div className="acts">
          {previewPages.map(({ path, label }) => (
            <button className="btn quiet" type="submit" name="page" value={path} key={path}>
              {label}
            </button>
          ))}
        </div>
      </form>
      {mayChange && isDraft && (
        <div className="acts brand-acts">
          <ActionForm action={`${BRAND_PATH}/publish`} id="publish" request={request}>
            <input type="hidden" name="from" value={number} />
            <button className="btn" type="submit">
              Publish the draft
            </button>
          </ActionForm>
          <ActionForm action={`${BRAND_PATH}/discard`} id="discard" request={request}>
            <input type="hidden" name="from" value={number} />
            <button className="btn quiet" type="submit">
              Discard the draft
            </button>
          </ActionForm>
        </div>
      )}
    </section>
  );
}

type HistoryProps = StateProps & { published: readonly PublishedBrand[] };

/** What visitors saw before, with a way back. */
function History({ published, version, now, request, mayChange }: HistoryProps) {
  if (published.length === 0) return null;
  const earlier = [
    ...published.map(({ number, savedAt, savedBy }) => ({ number, savedAt, by: savedBy?.name ?? null })),
    { number: 0, savedAt: null, by: null },
  ];
  return (
    <section className="panel" aria-labelledby="history">
      <h2 id="history">What was published</h2>
      <ActionForm action={`${BRAND_PATH}/restore`} id="restore" request={request}>
        <input type="hidden" name="from" value={version.number} />
        <ul className="version-list">
          {earlier.map(({ number, savedAt, by }, index) => (
            <li key={number}>
              <span>
                {savedAt === null ? (
                  "As delivered"
                ) : (
                  <>
                    Version {number}, <When at={savedAt} now={now} />
                    {by !== null && (
                      <>
                        , by <bdi>{by}</bdi>
                      </>
                    )}
                  </>
                )}
              </span>
              {index === 0 ? (
                <span className="muted small">Visitors see this</span>
              ) : (
                mayChange && (
                  <button
                    className="btn quiet"
                    type="submit"
                    name="version"
                    value={number}
                    aria-label={
                      number === 0 ? "Make a draft of the delivered brand" : `Make a draft of version ${number}`
                    }
                  >
                    Make it the draft
                  </button>
                )
              )}
            </li>
          ))}
        </ul>
      </ActionForm>
    </section>
  );
}
