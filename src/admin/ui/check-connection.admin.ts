// Keeps what was typed into a form. Before it is sent, asks whether the site answers: if it does not, the form stays,
// because the browser would leave for a page of its own. Whoever leaves without saving is asked by the browser first.
// While somebody types, their session does not end for want of requests.

const WAIT_MS = 10_000;
/** A second press within this time sends nothing: it is a double click, or the answer is slow. */
const PAUSE_MS = 5000;
/** Several times within the half hour after which a session ends. */
const KEEP_SESSION_MS = 5 * 60_000;
let sessionKeptAt = performance.now();

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-enhance="check-connection"]')) guard(form);

function guard(form: HTMLFormElement): void {
  let note: Element | undefined;
  let state: "typing" | "asking" | "sending" | "sent" = "typing";
  // Where people log in, nothing is lost.
  const warns = form.closest(".sheet") !== null;
  let hasUnsaved = form.dataset.unsaved !== undefined;
  const allowAgain = () => {
    state = "typing";
  };
  // Whoever comes back to this page can send again.
  addEventListener("pageshow", allowAgain);
  form.addEventListener("input", ({ target }) => {
    hasUnsaved ||= isTypedInto(target);
    if (warns) keepSession();
  });
  addEventListener("beforeunload", (event) => {
    if (warns && hasUnsaved && (state === "typing" || state === "asking")) event.preventDefault();
  });
  const keepKey = restoreKey(form);
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
      keepKey();
      form.requestSubmit(submitter);
      state = "sent";
      setTimeout(allowAgain, PAUSE_MS);
    } else {
      allowAgain();
      note = showNote(form, submitter);
    }
  });
}

function keepSession(): void {
  if (performance.now() - sessionKeptAt < KEEP_SESSION_MS) return;
  sessionKeptAt = performance.now();
  // Without an answer, the form is kept for the log-in.
  fetch("/admin/you/session.json").catch(() => undefined);
}

function isTypedInto(field: unknown): field is HTMLInputElement | HTMLTextAreaElement {
  if (field instanceof HTMLTextAreaElement) return true;
  return field instanceof HTMLInputElement && !/^(checkbox|radio|file|hidden)$/.test(field.type);
}

/**
 * The form of something new has a key, so that sending it twice makes one. Back fills in again what was typed, but not the
 * key that it was sent with: that comes from the history's entry, where the returned function keeps it.
 */
function restoreKey(form: HTMLFormElement): () => void {
  const key = form.elements.namedItem("form");
  if (!(key instanceof HTMLInputElement)) return () => {};
  // By then the browser has filled in the fields.
  addEventListener("pageshow", () => {
    const sent: unknown = history.state?.[form.id];
    const isFilledIn = [...form.elements].some((field) => isTypedInto(field) && field.value !== field.defaultValue);
    if (typeof sent === "string" && isFilledIn) key.value = sent;
  });
  return () => history.replaceState({ ...history.state, [form.id]: key.value }, "");
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
