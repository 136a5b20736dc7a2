import type { BrandFrame } from "#shared/images/brand-frame.ts";
import { paths } from "#shared/paths.ts";
import deliveredMark from "./identity/brand/logo-mark.svg?inline";
import lightMark from "./identity/brand/logo-mark-light.svg?inline";

type Branded = { readonly name: string; readonly brand: { readonly name: string; readonly country: string } };
type BrandProps = { organisation: Branded; brand: Pick<BrandFrame, "logo" | "mark">; onDeep?: boolean };

/** The logo, or the mark and the name, linking home. The delivered mark is inlined: it is small and seen first. */
export function Brand({ organisation, brand: { logo, mark }, onDeep = false }: BrandProps) {
  if (logo !== null) {
    const { address, width, height } = onDeep ? logo.onDark : logo.onLight;
    return (
      <a className="brand" href={paths.home}>
        <img className="logo" src={address} alt={logo.words || organisation.name} width={width} height={height} />
      </a>
    );
  }
  return (
    <a className="brand" href={paths.home}>
      <img src={mark?.address ?? (onDeep ? lightMark : deliveredMark)} alt="" width={52} height={52} />
      <span>
        <b>{organisation.brand.name}</b>
        <small>{organisation.brand.country}</small>
      </span>
    </a>
  );
}

const drawnName = "چشمہ";

/** The name in its own script. Ours is drawn: a font for one word would be a request and 9 kB on every page. */
export function NativeName({ text, language }: { text: string; language: string }) {
  if (text !== drawnName) {
    return (
      <p lang={language} className="native-name">
        {text}
      </p>
    );
  }
  return (
    <svg className="native-name" role="img" aria-label={text} lang={language} viewBox="0 0 1557 1900">
      <use href="/identity/brand/icons.svg#native-name" />
    </svg>
  );
}
