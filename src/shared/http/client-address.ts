import { isIPv4, isIPv6 } from "node:net";

/**
 * What limits count as one visitor: an IPv4 address, or the /64 of an IPv6 address, which one household or server owns.
 * IPv4-mapped IPv6 (`::ffff:192.0.2.1`, in either spelling) counts as IPv4.
 */
export function subnetOf(address: string): string {
  const bare = address.trim().toLowerCase().replace(/%.*$/, "");
  if (isIPv4(bare) || !isIPv6(bare)) return bare;
  const groups = groupsOf(bare);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    const [high = 0, low = 0] = groups.slice(6);
    return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  }
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(":")}::/64`;
}

/** The eight groups of an IPv6 address; the URL parser has validated it and converted it to hexadecimal. */
function groupsOf(address: string): number[] {
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [left = "", right] = written.split("::");
  const numbers = (part: string | undefined) =>
    part ? part.split(":").map((group) => Number.parseInt(group, 16)) : [];
  const [head, tail] = [numbers(left), numbers(right)];
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

/** The wider network of an address, which a single attacker may own: the /24 of IPv4, the /48 of IPv6. */
export function networkOf(address: string): string {
  const subnet = subnetOf(address);
  if (subnet.includes(".")) return subnet.split(".").slice(0, 3).join(".");
  return subnet.split(":").slice(0, 3).join(":");
}
