import { useEffect, useState } from "react";

const NEAR = 500;
/** Long enough that nobody is interrupted at every key. */
const SPOKEN_AFTER_MS = 1000;

/** How much room a long text has left, once the end is near. Characters as people count them. */
export function CharactersLeft({ text, most }: { text: string; most: number }) {
  const says = sayLeft(most - [...text].length);
  const [spoken, setSpoken] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSpoken(says), SPOKEN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [says]);
  return (
    <>
      {says !== "" && (
        <p className="hint" aria-hidden="true">
          {says}
        </p>
      )}
      <p className="sr" role="status">
        {spoken}
      </p>
    </>
  );
}

function sayLeft(left: number): string {
  if (left > NEAR) return "";
  const characters = Math.abs(left) === 1 ? "character" : "characters";
  return left < 0 ? `${-left} ${characters} too many` : `${left} ${characters} left`;
}
