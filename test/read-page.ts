import { JSDOM } from "jsdom";

let window: InstanceType<typeof JSDOM>["window"] | undefined;

/** The document of a page, whose scripts do not run. One window serves all pages: making one takes twenty times as long. */
export function readPage(html: string): Document {
  window ??= new JSDOM("").window;
  return new window.DOMParser().parseFromString(html, "text/html");
}

/** The fields of a form as a browser would send them untouched, and all of its buttons. */
export function fieldsOf(form: Element): [name: string, value: string][] {
  const fields = [...form.querySelectorAll("input[name], textarea[name], select[name], button[name]")];
  return fields.map((field) => {
    const chosen = field.querySelector("option[selected]") ?? field.querySelector("option");
    const value = chosen?.getAttribute("value") ?? field.getAttribute("value") ?? field.textContent ?? "";
    return [field.getAttribute("name")!, value];
  });
}
