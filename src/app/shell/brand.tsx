import type { Organisation } from "#shared/organisation.ts";
import { paths } from "#shared/paths.ts";
import mark from "#shared/ui/identity/brand/logo-mark.svg?inline";
import lightMark from "#shared/ui/identity/brand/logo-mark-light.svg?inline";

/** The mark and the name, linking home. The mark travels inside the page: it is small and the first thing seen. */
export function Brand({ organisation, onDeep = false }: { organisation: Organisation; onDeep?: boolean }) {
  return (
    <a className="brand" href={paths.home}>
      <img src={onDeep ? lightMark : mark} alt="" width={52} height={52} />
      <span>
        <b>{organisation.brand.name}</b>
        <small>{organisation.brand.country}</small>
      </span>
    </a>
  );
}
