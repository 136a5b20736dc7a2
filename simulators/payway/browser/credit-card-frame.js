/** Inside the frame: the card's fields, and the messages of PayWay's protocol to the page around it. */
const form = document.querySelector("form");
const cardNumber = document.querySelector("#cardNumber");
const month = document.querySelector("#expiryDateMonth");
const year = document.querySelector("#expiryDateYear");
const cvn = document.querySelector("#cvn");
const cardholderName = document.querySelector("#cardholderName");
const errorLine = document.querySelector("#error");
const fields = { cardNumber, expiryDateMonth: month, expiryDateYear: year, cvn, cardholderName };

let host = null;
let wasValid = null;

fillExpiry();

addEventListener("message", (event) => {
  if (event.source !== parent) return;
  const message = parse(event.data);
  if (message?.app !== "payway") return;
  if (message.type === "getReady" && host === null) becomeReady(message, event.origin);
  // From then on only the page that first sent getReady gets messages.
  if (message.type === "getToken" && event.origin === host?.origin) getToken(message.correlationId);
});

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", (event) => {
  if (event.target === cardNumber) formatNumber();
  event.target.removeAttribute("aria-invalid");
  errorLine.textContent = "";
  reportValidity();
});

function becomeReady(message, origin) {
  host = {
    origin,
    frameId: message.frameId,
    key: String(message.publishableApiKey ?? ""),
    needsCvn: message.cvnRequired !== false,
    threeDS2: message.threeDS2 === true,
  };
  applyStyle(message.style);
  const isBroken = document.documentElement.hasAttribute("data-ready-error");
  post("ready", isBroken ? { err: { message: "The card form could not be prepared." } } : {});
  reportValidity();
}

function reportValidity() {
  if (host === null) return;
  const isValid = findProblem() === null;
  if (isValid === wasValid) return;
  wasValid = isValid;
  post(isValid ? "valid" : "invalid");
}

/** The first invalid field, in PayWay's format; PayWay checks the rest. */
function findProblem() {
  const problem = (fieldName, message) => ({ fieldName, message });
  if (!/^\d{13,19}$/.test(digits())) return problem("cardNumber", "Enter the number on the front of the card");
  if (month.value === "") return problem("expiryDateMonth", "Choose the month of expiry");
  if (year.value === "") return problem("expiryDateYear", "Choose the year of expiry");
  const mayBeEmpty = cvn.value === "" && !host.needsCvn;
  if (!mayBeEmpty && !/^\d{3,4}$/.test(cvn.value))
    return problem("cvn", "Enter the 3 or 4 digits of the security code");
  return cardholderName.value.trim() === "" ? problem("cardholderName", "Enter the name on the card") : null;
}

async function getToken(correlationId) {
  const problem = findProblem();
  if (problem !== null) {
    showRefusal(problem);
    post("singleUseToken", { correlationId, err: { status: 422, message: problem.message } });
    return;
  }
  try {
    const response = await fetch("single-use-tokens", {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`${host.key}:`)}`, accept: "application/json" },
      body: new URLSearchParams({
        paymentMethod: "creditCard",
        connectionType: "FRAME",
        cardNumber: digits(),
        cvn: cvn.value,
        cardholderName: cardholderName.value.trim(),
        expiryDateMonth: month.value,
        expiryDateYear: year.value,
        threeDS2: String(host.threeDS2),
      }),
    });
    const answer = parse(await response.text());
    if (response.ok && answer?.singleUseTokenId) {
      const { singleUseTokenId, paymentMethod, creditCard } = answer;
      post("singleUseToken", { correlationId, singleUseTokenId, paymentMethod, creditCard });
      return;
    }
    const refused = answer?.data?.[0];
    if (refused) showRefusal(refused);
    const message = refused?.message ?? "The card form is not available now. Try again.";
    post("singleUseToken", { correlationId, err: { status: response.status, message } });
  } catch {
    post("singleUseToken", {
      correlationId,
      err: { status: 0, message: "The card form lost its connection. Try again." },
    });
  }
}

function showRefusal({ fieldName, message }) {
  errorLine.textContent = `${message}.`;
  const field = fields[fieldName];
  if (field === undefined) return;
  field.setAttribute("aria-invalid", "true");
  field.focus();
}

/** Groups of four as typed, with the caret left where it was among the digits. */
function formatNumber() {
  const before = cardNumber.value.slice(0, cardNumber.selectionStart ?? 0).replace(/\D/g, "").length;
  cardNumber.value = digits().replace(/(\d{4})(?=\d)/g, "$1 ");
  const caret = before + Math.floor(Math.max(0, before - 1) / 4);
  cardNumber.setSelectionRange(caret, caret);
}

function digits() {
  return cardNumber.value.replace(/\D/g, "").slice(0, 19);
}

function fillExpiry() {
  for (let number = 1; number <= 12; number += 1) month.append(new Option(String(number).padStart(2, "0")));
  const thisYear = new Date().getFullYear();
  for (let full = thisYear; full <= thisYear + 20; full += 1) {
    year.append(new Option(String(full % 100).padStart(2, "0")));
  }
}

/** The page's rules, such as `{ ".payway-card label": { color: "#000" } }`; invalid ones are ignored. */
function applyStyle(style) {
  for (const [selector, rules] of Object.entries(style ?? {})) {
    if (!/^(div)?\.payway-card( (label|legend|input|select))?$/.test(selector)) continue;
    for (const element of document.querySelectorAll(selector.replace(/^div/, ""))) {
      for (const [name, value] of Object.entries(rules ?? {})) element.style.setProperty(name, String(value));
    }
  }
}

function post(type, more = {}) {
  parent.postMessage(
    JSON.stringify({ app: "payway", frameType: "creditCard", type, frameId: host.frameId, ...more }),
    host.origin,
  );
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
