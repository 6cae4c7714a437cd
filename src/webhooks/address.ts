// Which addresses events may be sent to. A caller who names a URL must not reach what only the service can reach.

import { lookup, Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** An address of a host. */
interface Address {
  address: string;
  family: 4 | 6;
}

/** Gives the addresses of a name. @throws Error with a code, such as ENOTFOUND */
export type Resolve = (hostname: string) => Promise<Address[]>;

/** The host has no address that events may be sent to. */
export class AddressRefused extends Error {
  readonly code = "ADDRESS_REFUSED";
}

/** The addresses that are given to somebody on the internet. All others are special: 2000::/3 is all that IPv6 has of them. */
const GLOBAL_IPV6 = ipaddr.parseCIDR("2000::/3");

/** Whether an address is one of the internet: not of this machine, of its network, of a cloud's metadata, nor a detour to these. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed.kind() === "ipv4" || parsed.match(GLOBAL_IPV6);
}

/** The host of a URL, if it is an address. The URL parser has brought forms such as 0x7f.1 into the usual one. */
export function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  return isIP(host) ? host : undefined;
}

const DNS_TIMEOUT_MS = 3000;
const DNS_TRIES = 2;

/**
 * Asks the name servers. The system's own lookup would take one of a few threads, and a name that nobody answers for would
 * hold it. @param servers default: those of the system
 */
export function nameServers(servers?: string[]): Resolve {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
  if (servers) resolver.setServers(servers);
  return async (hostname) => {
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found: Address[] = [];
    if (ipv4.status === "fulfilled") for (const address of ipv4.value) found.push({ address, family: 4 });
    if (ipv6.status === "fulfilled") for (const address of ipv6.value) found.push({ address, family: 6 });
    if (!found.length && ipv4.status === "rejected") throw ipv4.reason;
    return found;
  };
}

/** Asks the system, which also knows names of its own network. */
export const systemNames: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));

/**
 * The addresses to connect to. @throws AddressRefused unless all are allowed: one that is not would be tried next, when the
 * others do not answer
 */
export async function addressesOf(
  hostname: string,
  resolve: Resolve,
  isAllowed: (address: string) => boolean,
): Promise<Address[]> {
  const found = await resolve(hostname);
  if (!found.length) throw Object.assign(new Error("The name has no address."), { code: "ENOTFOUND" });
  if (!found.every(({ address }) => isAllowed(address))) throw new AddressRefused();
  return found;
}
