import { expect, test } from "vitest";
import { findReturnPath, guestDestination, memberDestination, withReturn } from "./return-path.ts";

test("NAV-7: a return path on this site is kept, with its query and fragment", () => {
  expect(findReturnPath("?return=%2Fdonation")).toBe("/donation");
  expect(findReturnPath("?x=1&return=%2FselectTickets%3Fevent%3D3%23seats")).toBe("/selectTickets?event=3#seats");
});

test("NAV-7: a return path that a browser could take for another site is refused", () => {
  const foreign = [
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "javascript:alert(1)",
    "/\t/evil.example",
    "evil",
    "/a\\b",
    "",
  ];
  for (const path of foreign) expect(findReturnPath(`?return=${encodeURIComponent(path)}`), path).toBeNull();
  expect(findReturnPath("")).toBeNull();
});

test("LOG-3: a guest goes to the donation, or to the requested page if guests may open it", () => {
  expect(guestDestination("")).toBe("/donation");
  expect(guestDestination("?return=%2FselectTickets")).toBe("/selectTickets");
  expect(guestDestination("?return=%2Fprofile%3Ftab%3D1")).toBe("/donation");
  expect(guestDestination("?return=%2Flogin")).toBe("/donation");
  expect(guestDestination("?return=%2F%2Fevil.example")).toBe("/donation");
});

test("NAV-7, LOG-6: a log-in leads to the requested page, else to the profile, and never to the log-in or registration", () => {
  expect(memberDestination("", "/profile")).toBe("/profile");
  expect(memberDestination("?return=%2Fdonation", "/profile")).toBe("/donation");
  expect(memberDestination("?return=%2Fprofile", "/")).toBe("/profile");
  for (const entrance of ["/login", "/register?return=%2Flogin", "/reset-password#x"]) {
    expect(memberDestination(`?return=${encodeURIComponent(entrance)}`, "/profile"), entrance).toBe("/profile");
  }
  expect(memberDestination("?return=%2F%2Fevil.example", "/")).toBe("/");
});

test("DON-26, NAV-7: the cause of a card survives the log-in, for guests and members", () => {
  const search = "?return=%2Fdonation%3Fcause%3Dambulance";
  expect(guestDestination(search)).toBe("/donation?cause=ambulance");
  expect(memberDestination(search, "/profile")).toBe("/donation?cause=ambulance");
  expect(withReturn("/register", search)).toBe(`/register${search}`);
});

test("LOG-1: the link to the registration keeps the return path", () => {
  expect(withReturn("/register", "?return=%2FselectTickets%3Fevent%3D3")).toBe(
    "/register?return=%2FselectTickets%3Fevent%3D3",
  );
  expect(withReturn("/register", "?return=https%3A%2F%2Fevil.example")).toBe("/register");
  expect(withReturn("/register", "?x=1")).toBe("/register");
});
