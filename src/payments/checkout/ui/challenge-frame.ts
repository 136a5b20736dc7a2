import { loadPayWay, type PayWayError } from "./payway-script.ts";

export type ChallengeFrame = { close(): void };

let framesMade = 0;

/**
 * Opens the bank's page inside `place`, where the payer confirms a payment (3-D Secure). `onEnded` only means that it
 * is time to ask the server, because a browser's report is no proof (DON-18). It may never be called.
 */
export function openChallengeFrame({ place, scriptUrl, token, onFailed, onEnded }: Options): ChallengeFrame {
  framesMade += 1;
  const container = document.createElement("div");
  container.id = `payway-challenge-${framesMade}`;
  place.append(container);
  let frame: { destroy(): void } | undefined;
  let isClosed = false;
  const close = () => {
    isClosed = true;
    frame?.destroy();
    frame = undefined;
    container.remove();
  };
  const fail = () => {
    if (isClosed) return;
    close();
    onFailed();
  };
  const end = () => {
    if (!isClosed) onEnded();
  };
  const created = (error: PayWayError, made?: { destroy(): void }) => {
    // Created after closing: destroy it and its listeners.
    if (isClosed) return made?.destroy();
    if (error || made === undefined) return fail();
    frame = made;
    container.querySelector("iframe")?.setAttribute("title", "Your bank’s page");
  };
  loadPayWay(scriptUrl)
    .then((payway) => {
      if (isClosed) return;
      payway.createChallengeFrame(
        {
          singleUseTokenId: token,
          container: container.id,
          challengeMode: "callback",
          challengeWindowSize: windowSize(place.clientWidth),
          onSuccess: end,
          onFailure: end,
        },
        created,
      );
    })
    .catch(fail);
  return { close };
}

type Options = {
  readonly place: HTMLElement;
  readonly scriptUrl: string;
  /** The card's single-use token, which the bank was asked about. */
  readonly token: string;
  readonly onFailed: () => void;
  readonly onEnded: () => void;
};

/** The widest of EMV's sizes that fits: 500 by 600, 390 by 400, or 250 by 400 pixels. */
function windowSize(width: number): string {
  if (width >= 500) return "03";
  return width >= 390 ? "02" : "01";
}
