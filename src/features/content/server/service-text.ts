import type { Question, ServiceFigure } from "../content.ts";

const figureLine = /^(\S*\d\S*)\s+(\S.*)$/;

const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** Reads one figure a line: '1,800+ ambulances'. `wrong` is the first line that is not a figure. */
export function readFigures(text: string): {
  readonly figures: readonly ServiceFigure[];
  readonly wrong: string | null;
} {
  const read = linesOf(text).map((line) => ({ line, found: figureLine.exec(line) }));
  return {
    figures: read.flatMap(({ found }) => (found === null ? [] : [{ figure: found[1]!, words: found[2]! }])),
    wrong: read.find(({ found }) => found === null)?.line ?? null,
  };
}

/**
 * Reads questions with an empty line between them: the question on a line, its answer on the following ones. `wrong` is
 * the first question without an answer.
 */
export function readQuestions(text: string): {
  readonly questions: readonly Question[];
  readonly wrong: string | null;
} {
  const blocks = text
    .split(/\n\s*\n/)
    .map(linesOf)
    .filter(({ length }) => length > 0);
  return {
    questions: blocks
      .filter(({ length }) => length > 1)
      .map(([question, ...answer]) => ({ question: question!, answer: answer.join(" ") })),
    wrong: blocks.find(({ length }) => length === 1)?.[0] ?? null,
  };
}
