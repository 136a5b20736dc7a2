import { expect, test } from "vitest";
import { readFigures, readQuestions } from "./service-text.ts";

test("CON-11: a figure is the first word of its line, and has a digit", () => {
  expect(readFigures("18 homes and orphanages\n\n 8,500+  residents ")).toEqual({
    figures: [
      { figure: "18", words: "homes and orphanages" },
      { figure: "8,500+", words: "residents" },
    ],
    wrong: null,
  });
  expect(readFigures("18 homes\nMany residents").wrong).toBe("Many residents");
  expect(readFigures("18").wrong).toBe("18");
  expect(readFigures("")).toEqual({ figures: [], wrong: null });
});

test("CON-11: a question stands on its line, above its answer, with an empty line before the next", () => {
  expect(readQuestions("Is there a flood now?\nYou can give\nat any time.\n\n\nWhy?\nBecause.")).toEqual({
    questions: [
      { question: "Is there a flood now?", answer: "You can give at any time." },
      { question: "Why?", answer: "Because." },
    ],
    wrong: null,
  });
  expect(readQuestions("Why?\nBecause.\n\nAnd then?").wrong).toBe("And then?");
  expect(readQuestions(" \n ")).toEqual({ questions: [], wrong: null });
});
