import { Breadcrumbs, type Crumb } from "#shared/ui/breadcrumbs.tsx";

type ListHeadProps = { title: string; says: string; trail: readonly Crumb[] };

/** The band above a list that is a page of its own. */
export function ListHead({ title, says, trail }: ListHeadProps) {
  return (
    <>
      <section className="page-head deep" aria-labelledby="page-title">
        <div className="wrap">
          <Breadcrumbs trail={trail} />
          <h1 id="page-title">{title}</h1>
          <p className="lede">{says}</p>
        </div>
      </section>
      <div className="strip-ajrak" aria-hidden="true" />
    </>
  );
}
