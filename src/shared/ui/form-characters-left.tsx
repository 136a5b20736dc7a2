import { useEffect, useState } from "react";
import { plural } from "#shared/language.ts";

const NEAR = 500;
/** Long enough not to interrupt at every key. */
const SPOKEN_AFTER_MS = 1000;

export function CharactersLeft({ text, max }: { text: string; max: number }) {
  const message = describeLeft(max - [...text].length);
  const [spoken, setSpoken] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSpoken(message), SPOKEN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [message]);
  return (
    <>
      {message !== "" && (
        <p className="hint" aria-hidden="true">
          {message}
        </p>
      )}
      <p className="sr" role="status">
        {spoken}
      </p>
    </>
  );
}

function describeLeft(left: number): string {
  if (left > NEAR) return "";
  return left < 0
    ? plural(-left, { one: "1 character too many", other: `${-left} characters too many` })
    : plural(left, { one: "1 character left", other: `${left} characters left` });
}
