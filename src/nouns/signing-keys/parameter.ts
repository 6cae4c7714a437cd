// The query parameter with the signature of an address. Browsers load this: it needs no cryptography.

export const SIGNATURE = "signature";
