import { bothDatesNeeded, rangeFault } from "../../history.ts";

/** Enables the Download button as the dates change, and says why it is disabled (LAY-11). The server does so too. */
export function watchRange(form: HTMLFormElement): void {
  const [from, to] = form.querySelectorAll<HTMLInputElement>("input[type=date]");
  const button = form.querySelector<HTMLButtonElement>("button[formaction]");
  const why = form.querySelector<HTMLElement>(".why");
  if (!from || !to || !button || !why) return;

  // A date field with a partial or impossible date has an empty value.
  const dayOf = ({ value, validity }: HTMLInputElement) => (validity.badInput ? "not a day" : value);
  const findFault = () => {
    const range = { from: dayOf(from), to: dayOf(to) };
    return rangeFault(range) ?? (range.from === "" || range.to === "" ? bothDatesNeeded : null);
  };
  const show = () => {
    const fault = findFault();
    button.setAttribute("aria-disabled", String(fault !== null));
    why.textContent = fault ?? "";
    if (fault === null) why.classList.remove("err");
  };
  const leave = () => {
    const fault = findFault();
    why.classList.toggle("err", fault !== null && fault !== bothDatesNeeded);
  };
  form.addEventListener("input", show);
  form.addEventListener("focusout", ({ target }) => {
    show();
    if (target === from || target === to) leave();
  });
  // Values that the browser restores on returning to the page fire no event.
  addEventListener("pageshow", show);
  button.addEventListener("click", (event) => {
    const fault = findFault();
    if (fault === null) return;
    event.preventDefault();
    why.classList.add("err");
    why.textContent = fault;
    (from.value === "" ? from : to).focus();
  });
  show();
}
