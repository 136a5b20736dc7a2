import type { BrandFrame } from "#shared/images/brand-frame.ts";
import { paths } from "#shared/paths.ts";
import deliveredMark from "./identity/brand/logo-mark.svg?raw";
import lightMark from "./identity/brand/logo-mark-light.svg?raw";

type Branded = { readonly name: string; readonly brand: { readonly name: string; readonly country: string } };
type BrandProps = { organisation: Branded; brand: Pick<BrandFrame, "logo" | "mark">; onDeep?: boolean };

/** The logo, or the mark and the name, linking home. */
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
      {mark === null ? <DeliveredMark onDeep={onDeep} /> : <img src={mark.address} alt="" width={52} height={52} />}
      <span>
        <b>{organisation.brand.name}</b>
        <small>{organisation.brand.country}</small>
      </span>
    </a>
  );
}

/** Styles show one of the two on the page's own ground, which is dark if the device is. */
function DeliveredMark({ onDeep }: { onDeep: boolean }) {
  return (
    <>
      {!onDeep && <Drawing svg={deliveredMark} size={52} className="on-light" />}
      <Drawing svg={lightMark} size={52} className="on-dark" />
    </>
  );
}

/**
 * A drawing as part of the page, from the text of its SVG file. As a picture it would be a document of its own to the
 * browser, which takes a phone several milliseconds. Decorative: what is beside it has the words.
 */
export function Drawing({ svg, size, className }: { svg: string; size: number; className?: string }) {
  const [, viewBox, shapes = ""] =
    /^<svg[^>]* viewBox="([^"]+)"[^>]*>(?:<title[^>]*>[^<]*<\/title>)?(.*)<\/svg>/s.exec(svg) ?? [];
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      viewBox={viewBox}
      width={size}
      height={size}
      className={className}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: from a file of the source.
      dangerouslySetInnerHTML={{ __html: shapes }}
    />
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
