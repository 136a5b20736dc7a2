import { isIP } from "node:net";
import type { z } from "zod";

/** What an operator reads about a setting, after its name; undefined where the schema has words of its own. */
export function describeSettingFault(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return "must be a whole number";
    case "too_small":
      return `must be ${issue.minimum} or more`;
    case "too_big":
      return `must be ${issue.maximum} or less`;
    case "invalid_value":
      return `must be one of ${issue.values.join(", ")}`;
    case "invalid_format":
      return issue.format === "url" ? "must be an address that begins with https:// or http://" : undefined;
    case "invalid_union":
      return "must be sandbox, production, or an address that begins with https:// or http://";
    default:
      return undefined;
  }
}

const networkNames = ["loopback", "linklocal", "uniquelocal"];

/** Whether Fastify takes the text as proxies to trust: addresses and networks joined by commas. */
export function areProxies(text: string): boolean {
  return text.split(",").every((part) => {
    const [address = "", bits, ...more] = part.trim().split("/");
    if (networkNames.includes(address)) return bits === undefined;
    const version = isIP(address);
    const isPrefix = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
    return version !== 0 && isPrefix && more.length === 0;
  });
}
