/** A wall of tiles, where pictures will be. */
export function Mosaic() {
  return (
    <div className="mosaic" aria-hidden="true">
      <i />
      <i />
      <i />
      <i />
      <i />
      <i />
    </div>
  );
}
