/** Inside the challenge frame: asks the cardholder, tells PayWay, and only then the page around it. */
const buttons = [...document.querySelectorAll("button")];
const answerLine = document.querySelector(".answer");

if (document.documentElement.hasAttribute("data-nothing-waits")) {
  document.querySelector("h1").textContent = "There is nothing to confirm";
  fail("No payment waits for your answer here. You can leave this page.");
}

for (const button of buttons) {
  button.addEventListener("click", () => answer(button.dataset.choice));
}

async function answer(choice) {
  if (buttons[0].disabled) return;
  close();
  if (choice === "break") {
    fail("The bank's page broke, as you asked. Nothing was confirmed.");
    return;
  }
  try {
    const response = await fetch("challenge", { method: "POST", body: new URLSearchParams({ choice }) });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const { transStatus } = await response.json();
    answerLine.textContent = transStatus === "Y" ? "Thank you. It is confirmed." : "It is refused. Nothing is paid.";
    post({ type: "challenge-response", transStatus });
  } catch {
    fail("Your answer did not arrive. Nothing was confirmed.");
  }
}

function fail(sentence) {
  close();
  answerLine.textContent = sentence;
  post({ type: "challenge-error", err: { message: sentence } });
}

function close() {
  for (const button of buttons) button.disabled = true;
  // A disabled button loses focus, so keyboard users continue from the answer.
  if (document.hasFocus()) answerLine.focus();
}

/** The bank does not know the page around it; this message is neither secret nor proof. */
function post(message) {
  parent.postMessage(JSON.stringify({ app: "payway", frameType: "challenge", ...message }), "*");
}
