import { bothDatesNeeded, rangeFault } from "../history.ts";

/**
 * Opens and shuts the Download button as the dates change, and says why it is shut (LAY-11). Without this script the
 * server says it, after the button was pressed.
 */
export function watchRange(form: HTMLFormElement): void {
  const [from, to] = form.querySelectorAll<HTMLInputElement>("input[type=date]");
  const button = form.querySelector<HTMLButtonElement>("button[formaction]");
  const why = form.querySelector<HTMLElement>(".why");
  if (!from || !to || !button || !why) return;

  const findFault = () =>
    from.value === "" || to.value === "" ? bothDatesNeeded : rangeFault({ from: from.value, to: to.value });
  const show = () => {
    const fault = findFault();
    button.setAttribute("aria-disabled", String(fault !== null));
    why.textContent = fault ?? "";
    if (fault === null) why.classList.remove("err");
  };
  form.addEventListener("input", show);
  // What a browser brings back when one returns to the page comes without an event.
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
