import type { ReactNode } from "react";

/** One kind of parts; `id` is its anchor in the table of contents. */
export function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className="part" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** One part under its name. */
export function Sample({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <div className="sample">
      <h3>{title}</h3>
      {note !== undefined && <p className="hint">{note}</p>}
      {children}
    </div>
  );
}
