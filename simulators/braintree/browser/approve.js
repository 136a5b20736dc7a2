/** PayPal's window: the payer's choice goes to the simulator first and then to the page that opened the window. */
const query = new URLSearchParams(location.search);
const buttons = [...document.querySelectorAll("button")];
const answerLine = document.querySelector(".answer");

for (const button of buttons) {
  button.addEventListener("click", () => choose(button.dataset.choice));
}

async function choose(choice) {
  for (const button of buttons) button.disabled = true;
  if (choice === "cancel" || choice === "error") {
    notifyPage({ type: choice });
    return;
  }
  try {
    const response = await fetch("approve", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token: query.get("token"), choice }),
    });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    notifyPage({ type: "approve", approval: await response.json() });
  } catch {
    notifyPage({ type: "error" });
  }
}

/** The page that opened this window closes it on the message; without one the window says so. */
function notifyPage(message) {
  opener?.postMessage({ app: "simulated-paypal", ...message }, query.get("origin") ?? location.origin);
  answerLine.textContent = "Go back to the page that opened this window.";
  answerLine.focus();
}
