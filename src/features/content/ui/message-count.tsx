import { useEffect, useState } from "react";
import { type Control, useWatch } from "react-hook-form";
import { type ContactFields, countCharacters, longest } from "../contact.ts";

const NEAR = 500;
/** Long enough that nobody is interrupted at every key. */
const SPOKEN_AFTER_MS = 1000;

/** How much room the message has left, once the end is near. */
export function MessageCount({ control }: { control: Control<ContactFields> }) {
  const message = useWatch({ control, name: "message" }) ?? "";
  const text = countText(longest.message - countCharacters(message));
  const [spoken, setSpoken] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSpoken(text), SPOKEN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <>
      {text !== "" && (
        <p className="hint" aria-hidden="true">
          {text}
        </p>
      )}
      <p className="sr" role="status">
        {spoken}
      </p>
    </>
  );
}

function countText(left: number): string {
  if (left > NEAR) return "";
  const characters = Math.abs(left) === 1 ? "character" : "characters";
  return left < 0 ? `${-left} ${characters} too many` : `${left} ${characters} left`;
}
