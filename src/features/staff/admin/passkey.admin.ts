// Buttons that ask the device for a passkey; and on the log-in screen, a redirect if the person is logged in already.

const words = {
  cancelled: "Nothing was done. Your device refused or took too long. Try again, or use another way.",
  exists: "This device already has a passkey for your account. Use another device or a security key.",
  impossible: "This browser cannot use passkeys at this address. Use another browser, or another way.",
  failed: "The site did not answer. Check your connection, and try again.",
} as const;

for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-passkey]")) {
  let isBusy = false;
  button.addEventListener("click", async (event) => {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    button.setAttribute("aria-busy", "true");
    const problem = await answerWithPasskey(button).catch(() => words.failed);
    isBusy = false;
    button.removeAttribute("aria-busy");
    showProblem(button.form!, problem);
  });
}

/** Fills the form and sends it. Returns what went wrong, if anything did. */
async function answerWithPasskey({ form, dataset }: HTMLButtonElement): Promise<string | null> {
  const [response, { askForPasskey, createPasskey }] = await Promise.all([
    fetch(dataset.options!),
    import("#shared/passkeys/ui/passkeys.ts"),
  ]);
  const options = await response.json();
  // The session has ended, or a new proof is needed. Afterwards the browser returns to this screen.
  if (response.status === 401) {
    location.assign(`${options.to}?${new URLSearchParams({ next: location.pathname })}`);
    return null;
  }
  if (!response.ok) return typeof options.problem === "string" ? options.problem : words.failed;
  const passkey = await (dataset.passkey === "use" ? askForPasskey(options) : createPasskey(options));
  if ("none" in passkey) return words[passkey.none];
  form!.querySelector<HTMLInputElement>("input[name=passkey]")!.value = JSON.stringify(passkey);
  form!.submit();
  return null;
}

function showProblem(form: HTMLFormElement, text: string | null) {
  const place = form.querySelector<HTMLElement>("[data-passkey-problem]")!;
  place.hidden = text === null;
  place.querySelector("span")!.textContent = text;
}

// Following a link on another site or in an email sends no session cookie (SameSite=Strict); a request from this page
// does. Only once: afterwards the page before this one is ours.
const next = document.querySelector<HTMLElement>("[data-logged-in]")?.dataset.loggedIn;
if (next !== undefined && !document.referrer.startsWith(`${location.origin}/`)) {
  fetch("/admin/sign-in/session")
    .then((response) => response.json())
    .then(({ isLoggedIn }) => isLoggedIn && location.replace(next))
    .catch(() => undefined);
}
