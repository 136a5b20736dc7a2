import { expect, test } from "vitest";
import { cleanHtml } from "./removed-parts.ts";

test.each([
  ["<p>One <strong>two</strong></p><ul><li>three</li></ul>", []],
  ['<h1>Title</h1><a href="https://example.org">link</a><img src="/identity/a.svg" alt="A">', []],
  ["a < b & c", []],
  ["<p>One<script>alert(1)</script></p>", ["<script>"]],
  ['<p style="color:red" onclick="x()">One</p>', ["style on <p>", "onclick on <p>"]],
  ['<a href="javascript:alert(1)">x</a>', ["<a>", '<a href="javascript:alert(1)">']],
  [
    '<img src="https://other.example/a.png" alt="A">',
    ["<img>", '<img src="https://other.example/a.png">', "alt on <img>"],
  ],
  ["<p>One</p><!-- note -->", ["<!-- a comment -->"]],
])("CON-5: of %s it says what is left out", (written, removed) => {
  expect(cleanHtml(written).removed).toEqual(removed);
});
