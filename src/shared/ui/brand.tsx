import { paths } from "#shared/paths.ts";
import mark from "./identity/brand/logo-mark.svg?inline";
import lightMark from "./identity/brand/logo-mark-light.svg?inline";

type Branded = { readonly brand: { readonly name: string; readonly country: string } };

/** The mark and the name, linking home. The mark is inlined: it is small and seen first. */
export function Brand({ organisation, onDeep = false }: { organisation: Branded; onDeep?: boolean }) {
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
