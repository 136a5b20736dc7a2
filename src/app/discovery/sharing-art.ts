/** Layout of a sharing picture in pixels, in a size that every network accepts: text left, window right. */
export const canvas = { width: 1200, height: 630 };
export const column = { left: 64, width: 520, top: 60, bottom: 470 };
export const signature = { top: 496, height: 64 };
/** The window's opening. Drawings are cropped to it at build time, photographs when they are rendered. */
export const opening = { left: 718, top: 66, width: 404, height: 524 };

const wall = 640;
const strip = 40;
/** Without drawings. */
export const plainGround = { wall, strip: 16 };
const indigo = "#16214f";
const marigold = "#f7b73c";
const grout = "#fbfbf8";

/** The window's arch, `outside` pixels beyond the opening. */
function arch(outside: number, { left, top }: { left: number; top: number } = opening): string {
  const [x, y, width] = [left - outside, top - outside * 1.6, opening.width + outside * 2];
  const bottom = top + opening.height;
  const shoulder = y + width * 0.56;
  const rise = (part: number) => y + (shoulder - y) * part;
  const across = (part: number) => x + width * part;
  return [
    `M${x},${bottom}V${shoulder}`,
    `C${x},${rise(0.52)} ${across(0.16)},${rise(0.32)} ${across(0.33)},${rise(0.2)}`,
    `C${across(0.43)},${rise(0.13)} ${across(0.475)},${rise(0.07)} ${across(0.5)},${y}`,
    `C${across(0.525)},${rise(0.07)} ${across(0.57)},${rise(0.13)} ${across(0.67)},${rise(0.2)}`,
    `C${across(0.84)},${rise(0.32)} ${across(1)},${rise(0.52)} ${across(1)},${shoulder}`,
    `V${bottom}Z`,
  ].join("");
}

type Pattern = { readonly name: string; readonly svg: string; readonly scale: number };

/** A pattern tile from the identity's file. */
function pattern({ name, svg, scale }: Pattern): string {
  const [, , width, height] = (/viewBox="([^"]+)"/.exec(svg)?.[1] ?? "0 0 96 96").split(" ").map(Number);
  const image = `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
  return (
    `<pattern id="${name}" width="${width}" height="${height}" patternUnits="userSpaceOnUse" ` +
    `patternTransform="translate(0 ${canvas.height - strip}) scale(${scale})">` +
    `<image href="${image}" width="${width}" height="${height}"/></pattern>`
  );
}

const frame = `xmlns="http://www.w3.org/2000/svg" width="${canvas.width}" height="${canvas.height}"`;

/** The background: an indigo wall for text, a tiled wall with the window, and the ajrak strip below both. */
export function groundSvg({ tiles, border }: { tiles: string; border: string }): string {
  const floor = canvas.height - strip;
  const patterns = [
    { name: "tiles", svg: tiles, scale: 1 },
    { name: "border", svg: border, scale: strip / 32 },
  ];
  return `<svg ${frame}><defs>${patterns.map(pattern).join("")}</defs>
    <rect width="${wall}" height="${floor}" fill="${indigo}"/>
    <rect x="${wall}" width="${canvas.width - wall}" height="${floor}" fill="url(#tiles)"/>
    <rect x="${wall - 3}" width="6" height="${floor}" fill="${grout}"/>
    <path d="${arch(26)}" fill="${indigo}" stroke="${grout}" stroke-width="4"/>
    <path d="${arch(13)}" fill="none" stroke="${marigold}" stroke-width="5"/>
    <path d="${arch(3)}" fill="${grout}"/>
    <rect y="${floor}" width="${canvas.width}" height="${strip}" fill="url(#border)"/>
  </svg>`;
}

/** A mask that is white where the window is open. */
export function openingSvg(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${opening.width}" height="${opening.height}"><path d="${arch(0, { left: 0, top: 0 })}" fill="#fff"/></svg>`;
}
