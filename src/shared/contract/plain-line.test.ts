import { expect, test } from "vitest";
import { plainLine, plainText } from "./plain-line.ts";

test("LOG-12: a name in any script is a plain line; a text that could rewrite its line is not", () => {
  for (const name of [
    "Amina Raza",
    "آمنہ رضا",
    "Zoë O’Brien-D’Souza",
    "李 娜",
    "Ana 🌱",
    "",
    "محمد\u200cعلی",
    "\u200fآمنہ",
  ]) {
    expect(plainLine.test(name), name).toBe(true);
  }
  for (const name of ["Amina\nBcc: x", "a\u0000b", "\u202eazaR", "a\u2066b", "\ud800"]) {
    expect(plainLine.test(name), JSON.stringify(name)).toBe(false);
  }
});

test("RTE-4: a line break of a word processor still separates the words around it", () => {
  for (const end of ["\r\n", "\r", "\v", "\f", "\u2028", "\u2029"]) {
    expect(plainText(`Autumn${end}appeal`), JSON.stringify(end)).toBe("Autumn\nappeal");
  }
  expect(plainText(" a\u0000b\tc \u0085")).toBe("ab\tc");
});
