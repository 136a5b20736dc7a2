import { Breadcrumbs, type Crumb } from "#shared/ui/page-navigation.tsx";

type ListHeadProps = { title: string; text: string; trail: readonly Crumb[] };

export function ListHead({ title, text, trail }: ListHeadProps) {
  return (
    <>
      <section className="page-head deep" aria-labelledby="page-title">
        <div className="wrap">
          <Breadcrumbs trail={trail} />
          <h1 id="page-title" dir="auto">
            {title}
          </h1>
          {text !== "" && (
            <p className="lede" dir="auto">
              {text}
            </p>
          )}
        </div>
      </section>
      <div className="strip-ajrak" aria-hidden="true" />
    </>
  );
}
