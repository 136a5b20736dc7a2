import type { ReactNode } from "react";

/** A page with a single message: not found, coming soon, an error. */
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
