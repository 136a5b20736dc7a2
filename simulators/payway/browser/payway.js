/**
 * The simulator's own payway.js: the same global, calls and frame messages as PayWay's. It needs no inline style or
 * script, so it runs under a strict Content-Security-Policy. Its address tells it where the frame lives.
 */
(() => {
  const base = new URL(".", document.currentScript.src);
  const sizes = { wide: { width: 370, height: 390 }, narrow: { width: 278, height: 470 } };
  let lastFrameId = -1;
  let lastCorrelationId = -1;

  function createCreditCardFrame(options, createdCallback) {
    const created = createdCallback ?? (() => {});
    const containerId = options.container ?? "payway-credit-card";
    const container = document.getElementById(containerId);
    if (container === null) {
      created(`An element with id '${containerId}' could not be found in the document.`);
      return;
    }
    if (options.tokenMode !== "callback") {
      created("The simulator knows tokenMode 'callback' only.");
      return;
    }
    if (options.layout !== undefined && (options.width !== undefined || options.height !== undefined)) {
      created("Give either layout, or width and height.");
      return;
    }
    openFrame(container, options, created);
  }

  function openFrame(container, options, created) {
    lastFrameId += 1;
    const frameId = lastFrameId;
    const callbacks = new Map();
    const iframe = document.createElement("iframe");

    function post(type, fields) {
      iframe.contentWindow?.postMessage(JSON.stringify({ app: "payway", type, frameId, ...fields }), base.origin);
    }

    const frame = {
      getToken(callback) {
        if (typeof callback !== "function") return;
        lastCorrelationId += 1;
        callbacks.set(lastCorrelationId, callback);
        post("getToken", { correlationId: lastCorrelationId });
      },
      destroy() {
        removeEventListener("message", listen);
        iframe.remove();
        frame.getToken = () => console.warn("This card frame was destroyed.");
        frame.destroy = () => {};
      },
    };

    function listen(event) {
      if (event.origin !== base.origin || event.source !== iframe.contentWindow) return;
      const message = parse(event.data);
      if (message?.app !== "payway" || message.frameId !== frameId) return;
      if (message.type === "ready") created(message.err, frame);
      if (message.type === "valid") options.onValid?.();
      if (message.type === "invalid") options.onInvalid?.();
      if (message.type === "singleUseToken") giveToken(message);
    }

    function giveToken({ correlationId, err, singleUseTokenId, paymentMethod, creditCard }) {
      const callback = callbacks.get(correlationId);
      callbacks.delete(correlationId);
      callback?.(err, { singleUseTokenId, paymentMethod, creditCard });
    }

    addEventListener("message", listen);
    const size = sizes[options.layout ?? "wide"] ?? sizes.wide;
    iframe.className = "payway-credit-card-iframe";
    iframe.id = `payway-credit-card-iframe${frameId}`;
    iframe.title = "Card details";
    iframe.setAttribute("sandbox", "allow-forms allow-scripts allow-same-origin");
    iframe.width = String(options.width ?? size.width);
    iframe.height = String(options.height ?? size.height);
    iframe.style.border = "0";
    iframe.addEventListener("load", () => {
      const { publishableApiKey, cvnRequired, style = {}, layout = "wide", threeDS2 = false } = options;
      post("getReady", { publishableApiKey, cvnRequired, style, layout, threeDS2 });
    });
    iframe.src = new URL("creditCard-iframe.htm", base).href;
    container.append(iframe);
  }

  function parse(text) {
    try {
      return JSON.parse(text);
    } catch {
      return null;
    }
  }

  window.payway = { createCreditCardFrame };
})();
