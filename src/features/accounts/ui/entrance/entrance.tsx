import type { ReactNode } from "react";
import picture from "#shared/ui/identity/illustrations/dastarkhwan-meal.svg?inline";

type EntranceProps = { title: string; lede?: ReactNode; children: ReactNode };

/** The layout of the log-in, registration and reset pages: a picture beside one column. */
export function Entrance({ title, lede, children }: EntranceProps) {
  return (
    <div className="auth">
      <div className="side tile-bg" aria-hidden="true">
        <img src={picture} alt="" width={800} height={600} />
      </div>
      <div className="forms">
        <div className="inner">
          <h1>{title}</h1>
          {lede !== undefined && <p className="lede">{lede}</p>}
          {children}
        </div>
      </div>
    </div>
  );
}
