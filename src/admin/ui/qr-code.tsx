import type { QrPath } from "#shared/images/qr-code.ts";

/** Black on white in the dark too: many apps cannot read white on black. */
export function QrCode({ size, path, label }: QrPath & { label: string }) {
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
