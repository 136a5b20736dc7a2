type SeatsBarProps = {
  readonly sold: number;
  readonly held: number;
  readonly capacity: number;
  readonly isLarge?: boolean;
};

/** Sold, held and free seats as one bar; its text says the same. */
export function SeatsBar({ sold, held, capacity, isLarge = false }: SeatsBarProps) {
  const share = (seats: number) => `${capacity === 0 ? 0 : (100 * seats) / capacity}%`;
  const free = Math.max(0, capacity - sold - held);
  return (
    <svg
      className={isLarge ? "cap lg" : "cap"}
      role="img"
      aria-label={`${sold} sold, ${held} held, ${free} free`}
      preserveAspectRatio="none"
    >
      <rect className="sold" width={share(sold)} height="100%" />
      <rect className="held" x={share(sold)} width={share(held)} height="100%" />
    </svg>
  );
}
