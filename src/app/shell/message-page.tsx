import type { ReactNode } from "react";

/** A page that mostly says one thing: not found, being written, something failed. */
export function MessagePage({ image, title, children }: { image: string; title: string; children: ReactNode }) {
  return (
    <div className="message-page paper-bg">
      <div className="wrap-narrow">
        <img src={image} alt="" width={320} height={320} />
        <div className="stack">
          <h1>{title}</h1>
          {children}
        </div>
      </div>
    </div>
  );
}
