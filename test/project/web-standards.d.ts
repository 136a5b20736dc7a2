// What browsers and Node share, so that pure files may use it; tsconfig.pure.json has the types of neither.
interface URLSearchParams {
  get(name: string): string | null;
}
declare const URLSearchParams: new (text?: string) => URLSearchParams;
interface URL {
  readonly origin: string;
  readonly pathname: string;
  readonly search: string;
}
declare const URL: { parse(text: string, base?: string): URL | null };
interface CryptoKey {
  readonly extractable: boolean;
}
interface SubtleCrypto {
  importKey(
    format: "jwk",
    key: { kty: string; crv: string; x: string },
    algorithm: "Ed25519",
    extractable: boolean,
    usages: "verify"[],
  ): Promise<CryptoKey>;
  verify(
    algorithm: "Ed25519",
    key: CryptoKey,
    signature: Uint8Array<ArrayBuffer>,
    data: Uint8Array<ArrayBuffer>,
  ): Promise<boolean>;
}
interface Crypto {
  readonly subtle: SubtleCrypto;
}
declare const crypto: Crypto;
