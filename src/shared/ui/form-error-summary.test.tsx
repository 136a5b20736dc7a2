// @vitest-environment jsdom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { translatePage } from "#test/pages/translate-page.ts";
import { ErrorSummary } from "./form-error-summary.tsx";
import { FieldError } from "./form-field.tsx";

afterEach(cleanup);

const name = { fieldId: "name", message: "Name is required" };
const email = { fieldId: "email", message: "Email is required" };
const isReadOut = () => screen.getByRole("alert").getAttribute("aria-live") === "assertive";

test("LAY-11: the error summary is read out when it is shown, but not again while its fields are mended", () => {
  const { rerender } = render(<ErrorSummary problems={[name, email]} shownAt={1} />);
  const summary = screen.getByRole("alert");
  expect([isReadOut(), document.activeElement]).toEqual([true, summary]);
  summary.blur();
  rerender(<ErrorSummary problems={[email]} shownAt={1} />);
  expect([isReadOut(), document.activeElement]).toEqual([false, document.body]);
  rerender(<ErrorSummary problems={[]} shownAt={1} />);
  rerender(<ErrorSummary problems={[name, email]} shownAt={1} />);
  expect(isReadOut()).toBe(false);
  rerender(<ErrorSummary problems={[name, email]} shownAt={2} />);
  expect([isReadOut(), document.activeElement]).toEqual([true, screen.getByRole("alert")]);
});

test("LAY-12: on a page that the browser has translated, a field's new error replaces the one before", () => {
  const { container, rerender } = render(<FieldError id="email" error={email.message} />);
  translatePage();
  rerender(<FieldError id="email" error="Invalid email format" />);
  expect(container.textContent).toBe("Error: Invalid email format");
});
