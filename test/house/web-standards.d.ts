// What browsers and Node both have, so that pure files may use it; tsconfig.pure.json knows neither of the two.
interface URLSearchParams {
  get(name: string): string | null;
}
declare const URLSearchParams: new (text?: string) => URLSearchParams;
