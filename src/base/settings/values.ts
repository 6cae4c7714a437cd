// What values of variables may be.

import * as v from "valibot";

export const number = (min: number, max: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d+$/, "must be a whole number"),
    v.transform(Number),
    v.minValue(min, `must be at least ${min}`),
    v.maxValue(max, `must be at most ${max}`),
  );

export const wholeNumber = (fallback: number, min: number, max: number) =>
  v.optional(number(min, max), String(fallback));

export const url = (protocols: string[]) =>
  v.pipe(
    v.string(),
    v.check(
      (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
      `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`,
    ),
  );

/** Only this machine itself listens there. */
export const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** A host as a URL has it. */
export const hostInUrl = (host: string) => (host.includes(":") ? `[${host}]` : host);

/** A name or an address to listen at. IPv6 may stand in brackets, as in a URL. */
export const host = v.pipe(
  v.string(),
  v.nonEmpty("must not be empty"),
  v.transform((text) => text.replace(/^\[(.*)\]$/, "$1")),
  // An IPv6 address may name its interface: fe80::1%eth0.
  v.check((text) => URL.canParse(`http://${hostInUrl(text.replace(/%\w+$/, ""))}`), "must be a name or an IP address"),
);
