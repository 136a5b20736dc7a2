import type { Random } from "../states/random.ts";

const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;

/** Texts that have broken programs before. */
const hostileTexts: readonly string[] = [
  ...[
    "",
    " ",
    "\u0000",
    "a\u0000b",
    "\ud800",
    "\udfff\ud800",
    "\ufeff",
    "\u202e",
    "آمنہ رضا",
    "🧕🏽",
    "İ",
    "ß".repeat(300),
  ],
  ...["'", "''; drop table donations; --", "' or 1=1 --", "\\", "%", "_", "$1", "{{7*7}}", "<%= 7 %>"],
  ...["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "javascript:alert(1)", "=cmd|' /C calc'!A0"],
  ...["../../../etc/passwd", "..%2f..%2fetc%2fpasswd", "/etc/passwd", "file:///etc/passwd", "http://127.0.0.1:1/"],
  ...["a\r\nSet-Cookie: a=b", "a\r\n\r\nHTTP/1.1 200 OK", "__proto__", "constructor", "toString", "null", "undefined"],
  ...[
    "NaN",
    "Infinity",
    "-Infinity",
    "-0",
    "1e400",
    "0x10",
    "1_000",
    "٣",
    "1,000",
    "9".repeat(400),
    "-1",
    "0",
    "1.005",
  ],
  ...["0000-00-00", "2026-02-30", "275761-01-01", "9999999-12-31", "infinity", "now", "24:60", "2026-13-01T00:00:00Z"],
  ...["a@b", "a@b.c\n", "@", `${"a".repeat(65)}@example.com`, "a@[127.0.0.1]", '"a b"@example.com', "x@xn--.com"],
  ...["00000000-0000-0000-0000-000000000000", "3f0c1a52-9a1e-4a3c-8a39-0a3a0e6c9a11", "G".repeat(36), "2147483648"],
  ...["9223372036854775808", "99999999999999999999", "1".repeat(5000), "x".repeat(20_000), "[]", "{}", "[null]", deep],
  ...['[{"quantity":1e9}]', '{"__proto__":{"a":1}}', "[[[[]]]]", "(a+)+$", "a".repeat(3000), "\t\n\v\f\r"],
];

const hostileOthers: readonly unknown[] = [
  ...[null, true, false, 0, -0, -1, 1.5, 0.1 + 0.2, 1e21, 1e308, -1e308, 2 ** 31, 2 ** 53, Number.MIN_VALUE],
  ...[[], [[]], [null], [{}], {}, { length: -1 }, { toString: 1 }, { toJSON: 1 }, { $ne: null }],
  ...[
    Array(300).fill({}),
    Array(2000).fill(0),
    Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, n])),
  ],
];

export function hostileText(random: Random): string {
  if (random.isHit(0.7)) return random.oneOf(hostileTexts);
  const length = random.spread(1, 500);
  return String.fromCharCode(...Array.from({ length }, () => random.spread(1, 65_536) - 1));
}

export function hostileValue(random: Random): unknown {
  return random.isHit(0.6) ? hostileText(random) : random.oneOf(hostileOthers);
}

export function hostileBytes(random: Random, most: number): Buffer {
  return Buffer.from(Array.from({ length: random.spread(1, most) }, () => random.below(256)));
}
