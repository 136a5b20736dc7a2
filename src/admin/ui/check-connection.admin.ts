// Before a form is sent, asks whether the site answers. If it does not, the form stays: the browser would leave for a page
// of its own, and what was typed would be lost.

const WAIT_MS = 10_000;
/** A second press within this time sends nothing: it is a double click, or the answer is slow. */
const PAUSE_MS = 5000;

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-enhance="check-connection"]')) guard(form);

function guard(form: HTMLFormElement): void {
  let note: Element | undefined;
  let state: "typing" | "asking" | "sending" | "sent" = "typing";
  const allowAgain = () => {
    state = "typing";
  };
  // Whoever comes back to this page can send again.
  addEventListener("pageshow", allowAgain);
  form.addEventListener("submit", async (event) => {
    const submitter = event.submitter as HTMLButtonElement | null;
    // In a tab of its own it loses nothing, and a browser opens that only for a press of a moment ago.
    if (state === "sending" || submitter?.formTarget === "_blank") return;
    event.preventDefault();
    if (state !== "typing") return;
    state = "asking";
    note?.remove();
    const isAnswered = await siteAnswers();
    if (isAnswered) {
      state = "sending";
      form.requestSubmit(submitter);
      state = "sent";
      setTimeout(allowAgain, PAUSE_MS);
    } else {
      allowAgain();
      note = showNote(form, submitter);
    }
  });
}

/** Above the button that was pressed. */
function showNote(form: HTMLFormElement, pressed: HTMLElement | null): Element {
  const template = document.querySelector<HTMLTemplateElement>("template#no-connection")!;
  const note = template.content.firstElementChild!.cloneNode(true) as Element;
  const row = pressed?.closest("p, .acts") ?? pressed;
  if (row === null) form.append(note);
  else row.before(note);
  note.scrollIntoView({ block: "nearest" });
  return note;
}

/** A proxy answers 502 to 504 for a site that is away. */
async function siteAnswers(): Promise<boolean> {
  try {
    const { status } = await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(WAIT_MS) });
    return status < 502 || status > 504;
  } catch {
    return false;
  }
}
