/**
 * The simulator's payway.js: the same global, calls and frame messages as PayWay's. It needs no inline style or script,
 * so it runs under a strict Content-Security-Policy. It finds the frame by its own address.
 */
(() => {
  const base = new URL(".", document.currentScript.src);
  /** EMV 3-D Secure's names of window sizes; 05 is as large as its place. */
  const challengeSizes = { "01": [250, 400], "02": [390, 400], "03": [500, 600], "04": [600, 400] };
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
    dress(iframe, "payway-credit-card-iframe", frameId, "Card details");
    iframe.width = String(options.width ?? size.width);
    iframe.height = String(options.height ?? size.height);
    iframe.addEventListener("load", () => {
      const { publishableApiKey, cvnRequired, style = {}, layout = "wide", threeDS2 = false } = options;
      post("getReady", { publishableApiKey, cvnRequired, style, layout, threeDS2 });
    });
    iframe.src = new URL("creditCard-iframe.htm", base).href;
    container.append(iframe);
  }

  /** The bank's page for a 3-D Secure challenge. What it reports is only a hint: PayWay has the real result. */
  function createChallengeFrame(options, createdCallback) {
    const created = createdCallback ?? (() => {});
    const containerId = options.container ?? "payway-challenge";
    const container = document.getElementById(containerId);
    if (container === null) {
      created(`An element with id '${containerId}' could not be found in the document.`);
      return;
    }
    if (options.challengeMode !== "callback") {
      created("The simulator knows challengeMode 'callback' only.");
      return;
    }
    lastFrameId += 1;
    const iframe = document.createElement("iframe");
    const frame = {
      destroy() {
        removeEventListener("message", listen);
        iframe.remove();
        frame.destroy = () => {};
      },
    };

    function listen(event) {
      if (event.origin !== base.origin || event.source !== iframe.contentWindow) return;
      const message = parse(event.data);
      if (message?.app !== "payway" || message.frameType !== "challenge") return;
      // Like PayWay's, it records an error and ignores any other status; the page is told of neither.
      if (message.type === "challenge-error") frame.err = message.err;
      if (message.type !== "challenge-response") return;
      if (message.transStatus === "Y") options.onSuccess?.();
      if (message.transStatus === "N") options.onFailure?.();
    }

    addEventListener("message", listen);
    dress(iframe, "payway-challenge-iframe", lastFrameId, "Your bank's check");
    const size = options.challengeWindowSize ?? "05";
    const [width, height] = challengeSizes[size] ?? ["100%", "400"];
    iframe.width = String(width);
    iframe.height = String(height);
    iframe.addEventListener("load", () => created(undefined, frame), { once: true });
    const token = encodeURIComponent(options.singleUseTokenId);
    iframe.src = new URL(`single-use-tokens/${token}/challenge-iframe.htm?challengeWindowSize=${size}`, base).href;
    container.append(iframe);
  }

  function dress(iframe, className, frameId, title) {
    iframe.className = className;
    iframe.id = `${className}${frameId}`;
    iframe.title = title;
    iframe.setAttribute("sandbox", "allow-forms allow-scripts allow-same-origin");
    iframe.style.border = "0";
  }

  function parse(text) {
    try {
      return JSON.parse(text);
    } catch {
      return null;
    }
  }

  window.payway = { createCreditCardFrame, createChallengeFrame };
})();
