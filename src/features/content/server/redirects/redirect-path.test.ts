import fc from "fast-check";
import { expect, test } from "vitest";
import { paths } from "#shared/paths.ts";
import { addressWithQuery, toRedirectPath } from "./redirect-path.ts";

test.each([
  ["/old-page", "/old-page"],
  ["/Old-Page/", "/old-page"],
  ["/about-us.html", "/about-us.html"],
  ["/About%20Us.PDF", "/about us.pdf"],
  ["/caf%C3%A9", "/café"],
  ["/cafe\u0301", "/café"],
  ["/%D8%B9%D8%B7%DB%8C%DB%81", "/عطیہ"],
  ["/news/a/b", "/news/a/b"],
])("RED-3: %s is known as %s", (path, known) => {
  expect(toRedirectPath(path)).toBe(known);
});

test.each([
  "/",
  "",
  "old",
  "//evil.example",
  "/\\evil.example",
  "/a//b",
  "/a/../b",
  "/./a",
  "/..",
  "/%2e%2e/a",
  "/%2e",
  "/a%2Fb",
  "/a%2fb",
  "/a%5Cb",
  "/a?b",
  "/a#b",
  "/a%3Fb",
  "/a%23b",
  "/a%25b",
  "/a%",
  "/%E0%A4%A",
  "/a%00",
  "/a%0d%0aSet-Cookie:x",
  "/a\r\nb",
  "/a\u202eb",
  "javascript:alert(1)",
  `/${"a".repeat(300)}`,
  "/admin",
  "/Admin/x",
  "/%61dmin",
  "/api/x",
  "/assets/x.js",
  "/images/x",
  "/identity/x.svg",
  "/favicon.ico",
  "/.well-known/x",
  "/receipts/x",
  "/dev/mail",
  "/healthz",
])("RED-3: nothing is redirected at %j", (path) => {
  expect(toRedirectPath(path)).toBeNull();
});

test.each([
  ["/vision", "", "/vision"],
  ["/vision", "?", "/vision"],
  ["/vision", "?utm=1&x=%20y", "/vision?utm=1&x=%20y"],
  ["/donation?cause=hunger#now", "?utm=1", "/donation?cause=hunger&utm=1#now"],
  ["https://other.example", "", "https://other.example/"],
  ["https://other.example/a?b=c", "?d=e", "https://other.example/a?b=c&d=e"],
  ["/vision", "?a=\r\nSet-Cookie:%20x", "/vision?a=Set-Cookie:%20x"],
  ["/vision", "?//evil.example#x", "/vision?//evil.example%23x"],
  ["/caf\u00e9", "", "/caf%C3%A9"],
])("RED-3: %s with the query %j leads to %s", (target, query, address) => {
  expect(addressWithQuery(target, query)).toBe(address);
});

test("RED-3: whatever the query, a path of this site leads to this site, in one line", () => {
  fc.assert(
    fc.property(fc.constantFrom(...Object.values(paths)), fc.string({ unit: "binary" }), (path, query) => {
      const address = addressWithQuery(path, `?${query}`);
      expect(address.split(/[?#]/, 1)[0]).toBe(path);
      expect(address).not.toMatch(/[\p{Cc}\s]/u);
    }),
  );
});
