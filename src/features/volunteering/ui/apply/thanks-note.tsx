import { useEffect, useRef } from "react";
import { Icon } from "#shared/ui/icon.tsx";
import type { Thanks } from "./draft-storage.ts";
import { type Reached, Ways } from "./ways.tsx";

/** Says that an application arrived, with its reference, and takes focus (VOL-10). */
export function ThanksNote({ thanks, organisation }: { thanks: Thanks; organisation: Reached }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div className="note good vol-thanks" role="status" tabIndex={-1} ref={box}>
      <Icon name="check" />
      <div>
        <h2>Thank you. We have your application.</h2>
        <p>
          Its reference is <b>{thanks.reference}</b>. A confirmation is on its way to <b>{thanks.email}</b>, with a link
          to see where your application stands. One of our team will be in touch. If you have a question, reach us by{" "}
          <Ways organisation={organisation} />.
        </p>
      </div>
    </div>
  );
}
