/** The digits of Crockford's base 32: no I, L, O or U, so that a number can be read out over the telephone. */
export const base32Digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * The digits that somebody typed: small letters count, O stands for 0, I and L for 1, and hyphens and spaces for nothing.
 * A U stays, which no number has.
 */
export const readBase32 = (typed: string): string =>
  typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, "")
    .replaceAll("O", "0")
    .replace(/[IL]/g, "1");
