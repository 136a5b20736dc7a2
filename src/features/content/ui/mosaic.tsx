/** Decorative tiles where there are no pictures yet. */
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
