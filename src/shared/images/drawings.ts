import manifest from "../ui/identity/illustrations/manifest.json" with { type: "json" };
import type { Picture } from "./picture.ts";

const shapes = new Map<string, readonly [width: number, height: number]>([
  ["/identity/brand/logo-mark.svg", [64, 64]],
  ["/identity/brand/logo-mark-light.svg", [64, 64]],
  ["/identity/brand/favicon.svg", [64, 64]],
  ["/identity/brand/badge-registered-charity-placeholder.svg", [120, 120]],
  ...manifest.map(({ file, viewBox }) => {
    const [, , width = 800, height = 600] = viewBox.split(" ").map(Number);
    return [`/identity/${file}`, [width, height]] as const;
  }),
]);

/** A drawing as a picture; unknown addresses get a default shape, so that no page breaks. */
export function describeDrawing(address: string): Picture {
  const [width, height] = shapes.get(address) ?? [800, 600];
  return { address, width, height, color: null, widths: [] };
}
