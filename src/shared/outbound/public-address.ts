import { BlockList, isIP } from "node:net";

/** Networks that are not the public internet, or are the provider's own: RFC 6890 and the clouds' metadata. */
const closedIpv4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  // Azure answers its machines here.
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  // Multicast, reserved and broadcast.
  ["224.0.0.0", 3],
] as const;
/** Of the only public network, 2000::/3: Teredo and others, documentation, 6to4. */
const closedIpv6 = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const;
/** The last 32 bits of these are an IPv4 address: mapped ones, and those of NAT64. */
const carriers = [
  ["::ffff:0:0", 96],
  ["64:ff9b::", 96],
] as const;

type Networks = readonly (readonly [string, number])[];

function listOf(networks: Networks, family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const [network, bits] of networks) list.addSubnet(network, bits, family);
  return list;
}

const closed4 = listOf(closedIpv4, "ipv4");
const closed6 = listOf(closedIpv6, "ipv6");
const open6 = listOf([["2000::", 3]], "ipv6");
const carrying6 = listOf(carriers, "ipv6");

/** Whether an IP address is on the public internet. Whatever is no address is not. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !closed4.check(address, "ipv4");
  if (isIP(address) !== 6 || address.includes("%")) return false;
  if (carrying6.check(address, "ipv6")) return isPublicAddress(lastIpv4(address));
  return open6.check(address, "ipv6") && !closed6.check(address, "ipv6");
}

/** The last 32 bits of an IPv6 address, as IPv4. */
function lastIpv4(address: string): string {
  // A URL writes every address in one way: groups in hexadecimal, and the longest run of zeros as '::'.
  const [before = "", after = ""] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split("::");
  const groups = [before, after].map((half) => half.split(":").filter(Boolean));
  const zeros = Array(8 - groups.flat().length).fill("0");
  const bits = [...groups[0]!, ...zeros, ...groups[1]!].slice(-2).map((group) => Number.parseInt(group, 16));
  return bits.flatMap((group) => [group >> 8, group & 255]).join(".");
}
