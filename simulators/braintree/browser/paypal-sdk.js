/**
 * The simulator's PayPal SDK: `window.paypal.Buttons`, and a window in which the payer approves, cancels or causes an
 * error. It needs no inline style, so it runs under a strict Content-Security-Policy. It finds the window's page by its own
 * address: journeys serve it in place of https://www.paypal.com/sdk/js.
 */
(() => {
  const approvePage = new URL("../approve", document.currentScript.src);
  const WINDOW = "popup,width=450,height=640";
  const LOOK_EVERY_MS = 200;
  const look = `
    .simulated-paypal-button { display: block; box-sizing: border-box; width: 100%; max-width: 750px; min-width: 150px;
      border: 1px solid #b8860b; background: #ffc439; color: #0b1f5c; cursor: pointer;
      font: italic 800 20px/1 system-ui, "Segoe UI", Roboto, sans-serif; }
    .simulated-paypal-button:hover { background: #f2b829; }
    .simulated-paypal-button:focus-visible { outline: 3px solid #0b1f5c; outline-offset: 2px; box-shadow: 0 0 0 8px #fff; }`;

  function Buttons(options = {}) {
    const { fundingSource = "paypal", style = {}, onInit, onClick } = options;
    let button = null;
    let payment = null;
    let isEnabled = true;

    const actions = {
      enable: async () => setEnabled(true),
      disable: async () => setEnabled(false),
    };

    function setEnabled(isOn) {
      isEnabled = isOn;
      button?.setAttribute("aria-disabled", String(!isOn));
    }

    function press() {
      if (!isEnabled) return;
      // One window at a time: a second press brings the open one forward.
      if (payment?.isOpen()) {
        payment.focus();
        return;
      }
      payment = openPayment(options, onClick?.({ fundingSource }, { resolve: () => true, reject: () => false }));
    }

    return {
      isEligible: () => fundingSource === "paypal",
      async render(place) {
        const container = typeof place === "string" ? document.querySelector(place) : place;
        if (!container) throw new Error("Document is ready and element does not exist.");
        button = makeButton(style);
        button.addEventListener("click", press);
        container.append(button);
        onInit?.({ fundingSource }, actions);
      },
      async close() {
        payment?.abandon();
        button?.remove();
        button = null;
      },
    };
  }

  function makeButton({ height, shape }) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(look);
    if (!document.adoptedStyleSheets.some((other) => other.cssRules[0]?.cssText === sheet.cssRules[0]?.cssText)) {
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    }
    const button = document.createElement("button");
    button.type = "button";
    button.className = "simulated-paypal-button";
    button.textContent = "PayPal";
    button.style.height = `${Math.max(44, height ?? 48)}px`;
    button.style.borderRadius = shape === "rect" ? "4px" : "9999px";
    return button;
  }

  /** One payment in its own window, opened within the click and before any wait, or the browser blocks it. */
  function openPayment({ createOrder, onApprove, onCancel, onError }, mayGoOn) {
    const popup = mayGoOn === false ? null : window.open("", "", WINDOW);
    let orderID;
    let isOpen = popup !== null;

    function end() {
      isOpen = false;
      clearInterval(watch);
      removeEventListener("message", listen);
      popup?.close();
    }

    function fail(error) {
      end();
      if (onError) onError(error);
      else console.error(error);
    }

    function listen({ source, origin, data }) {
      if (source !== popup || origin !== approvePage.origin || data?.app !== "simulated-paypal") return;
      end();
      if (data.type === "cancel") onCancel?.({ orderID });
      if (data.type === "error") fail(new Error("PayPal could not go on with this payment."));
      if (data.type === "approve") approve(data.approval);
    }

    async function approve({ paymentID, payerID }) {
      try {
        await onApprove({ orderID, paymentID, payerID, paymentSource: "paypal" }, {});
      } catch (error) {
        fail(error);
      }
    }

    async function begin() {
      if ((await mayGoOn) === false) return end();
      orderID = await createOrder({ paymentSource: "paypal" }, {});
      const query = new URLSearchParams({ token: orderID, origin: location.origin });
      if (isOpen) popup.location = `${approvePage.href}?${query}`;
    }

    addEventListener("message", listen);
    const watch = setInterval(() => {
      if (!popup?.closed) return;
      end();
      onCancel?.({ orderID });
    }, LOOK_EVERY_MS);

    if (mayGoOn === false) end();
    else if (popup === null) fail(new Error("The browser did not let PayPal's window open."));
    else begin().catch((error) => isOpen && fail(error));
    return { isOpen: () => isOpen, focus: () => popup.focus(), abandon: end };
  }

  window.paypal = { version: "simulated", FUNDING: { PAYPAL: "paypal", CARD: "card", CREDIT: "credit" }, Buttons };
})();
