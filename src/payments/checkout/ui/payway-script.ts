import { loadScript } from "./load-script.ts";

export type PayWayError = { readonly message?: string } | string | null | undefined;

type PayWay = {
  createCreditCardFrame(
    options: Record<string, unknown>,
    created: (error: PayWayError, frame?: PayWayCardFrame) => void,
  ): void;
  createChallengeFrame(
    options: Record<string, unknown>,
    created: (error: PayWayError, frame?: { destroy(): void }) => void,
  ): void;
};
export type PayWayCardFrame = {
  getToken(callback: (error: PayWayError, answer?: { singleUseTokenId?: string }) => void): void;
  destroy(): void;
};

/** PayWay's script must come from PayWay: it may not be copied or bundled. */
export function loadPayWay(scriptUrl: string): Promise<PayWay> {
  return loadScript(scriptUrl, () => (window as { payway?: PayWay }).payway);
}
