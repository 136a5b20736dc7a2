// Before a form with a long text is sent, asks whether the site answers. If it does not, the form stays: the browser
// would leave for a page of its own, and what was typed would be lost.

const WAIT_MS = 10_000;

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-enhance="check-connection"]')) guard(form);

function guard(form: HTMLFormElement): void {
  const note = form.querySelector<HTMLElement>("[data-no-connection]")!;
  let state: "typing" | "asking" | "sending" = "typing";
  form.addEventListener("submit", async (event) => {
    if (state === "sending") return;
    event.preventDefault();
    if (state === "asking") return;
    state = "asking";
    note.hidden = true;
    const { submitter } = event;
    const isAnswered = await siteAnswers();
    state = "sending";
    if (isAnswered) form.requestSubmit(submitter);
    // Whoever comes back to this page can send again.
    state = "typing";
    note.hidden = isAnswered;
    if (!isAnswered) note.scrollIntoView({ block: "nearest" });
  });
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
