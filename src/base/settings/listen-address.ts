// Where a process may listen for others of ours: an address of this machine, or of a private network.

import { BlockList, isIP } from "node:net";

export interface ListenAddress {
  host: string;
  /** 0: one that is free. */
  port: number;
}

/** Nobody on the internet reaches these: loopback, the private networks of RFC 1918, 6598 and 4193. */
const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ["127.0.0.0", 8],
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["100.64.0.0", 10],
] as const)
  PRIVATE.addSubnet(network, prefix, "ipv4");
PRIVATE.addAddress("::1", "ipv6");
PRIVATE.addSubnet("fc00::", 7, "ipv6");

const MAX_PORT = 65_535;

/** Reads `10.0.0.5`, `10.0.0.5:4100`, `[fd00::5]:4100`. @returns undefined when it is no such address, or not private */
export function readListenAddress(text: string): ListenAddress | undefined {
  const [, bracketed, plain, port = "0"] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? text;
  const family = isIP(host);
  if (!family || (bracketed !== undefined && family === 4) || Number(port) > MAX_PORT) return undefined;
  return PRIVATE.check(host, family === 4 ? "ipv4" : "ipv6") ? { host, port: Number(port) } : undefined;
}
