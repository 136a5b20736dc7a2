import { loadScript } from "#shared/ui/load-script.ts";

export type PayWayError = { readonly message?: string } | string | null | undefined;

/** What PayWay's own script offers of what is used here. */
export type PayWay = {
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

/** PayWay's script may not be copied or bundled: it comes from PayWay. */
export function loadPayWay(scriptUrl: string): Promise<PayWay> {
  return loadScript(scriptUrl, () => (window as { payway?: PayWay }).payway);
}
