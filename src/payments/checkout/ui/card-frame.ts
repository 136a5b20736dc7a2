import { loadPayWay, type PayWayCardFrame, type PayWayError } from "./payway-script.ts";

/** PayWay's frame holds the card's fields on the bank's page; we only get a single-use token (DON-15). */
export type CardFrame = {
  /** The single-use token. Rejects with a sentence for the payer; then nothing was charged. */
  getToken(): Promise<string>;
  /** Removes the frame and what was typed in it, even while it is still loading. */
  close(): void;
};

const TIME_OUT_MS = 20_000;
const NARROW_BELOW_PX = 480;
const FAILED =
  "The card form didn’t load. The bank’s service or your connection may be interrupted. Nothing was charged.";
const NO_TOKEN = "We couldn’t read your card details. Please try again.";

let framesMade = 0;

/** Opens the frame inside `place`, in its own element, so that two frames never share a container. */
export function openCardFrame(options: Options): CardFrame {
  const { place, scriptUrl, publishableKey, asksBank, onReady, onFailed, onValidity } = options;
  framesMade += 1;
  const container = document.createElement("div");
  container.id = `payway-credit-card-${framesMade}`;
  place.append(container);
  let frame: PayWayCardFrame | undefined;
  let isClosed = false;
  const close = () => {
    isClosed = true;
    clearTimeout(timer);
    frame?.destroy();
    frame = undefined;
    container.remove();
  };
  const fail = () => {
    if (isClosed) return;
    close();
    onFailed(FAILED);
  };
  const timer = setTimeout(fail, TIME_OUT_MS);
  const created = (error: PayWayError, made?: PayWayCardFrame) => {
    // Created after closing: destroy it and its listeners.
    if (isClosed) return made?.destroy();
    if (error || made === undefined) return fail();
    clearTimeout(timer);
    frame = made;
    container.querySelector("iframe")?.setAttribute("title", "Card details");
    onReady();
  };
  loadPayWay(scriptUrl)
    .then((payway) => {
      if (isClosed) return;
      payway.createCreditCardFrame(
        {
          publishableApiKey: publishableKey,
          container: container.id,
          tokenMode: "callback",
          cvnRequired: true,
          threeDS2: asksBank,
          layout: innerWidth < NARROW_BELOW_PX ? "narrow" : "wide",
          onValid: () => onValidity(true),
          onInvalid: () => onValidity(false),
        },
        created,
      );
    })
    .catch(fail);
  return { getToken: () => readToken(frame), close };
}

type Options = {
  readonly place: HTMLElement;
  readonly scriptUrl: string;
  readonly publishableKey: string;
  /** Whether the card's bank may ask the payer to confirm (3-D Secure). */
  readonly asksBank: boolean;
  readonly onReady: () => void;
  readonly onFailed: (sentence: string) => void;
  readonly onValidity: (isValid: boolean) => void;
};

function readToken(frame: PayWayCardFrame | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    if (frame === undefined) return reject(new Error(NO_TOKEN));
    const timer = setTimeout(() => reject(new Error(NO_TOKEN)), TIME_OUT_MS);
    frame.getToken((error, answer) => {
      clearTimeout(timer);
      if (!error && answer?.singleUseTokenId) return resolve(answer.singleUseTokenId);
      const message = typeof error === "object" ? error?.message : undefined;
      reject(new Error(message || NO_TOKEN));
    });
  });
}
