import { expect, test } from "vitest";
import { html } from "./html.ts";

test("S4: every value is escaped, in text and in attributes", () => {
  const value = `<script>alert("x")</script>&'`;
  expect(html`<p title="${value}">${value}</p>`.markup).toBe(
    '<p title="&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;">&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;</p>',
  );
});

test("nested markup stays, lists are joined, empty values are left out", () => {
  expect(html`<ul>${[1, 2].map((n) => html`<li>${n}</li>`)}${false}${null}${undefined}</ul>`.markup).toBe(
    "<ul><li>1</li><li>2</li></ul>",
  );
});
