// Whether anything was written to a store since it was last looked at.

import type { Reader } from "./connection.ts";

const numbers = new WeakMap<Reader, number>();
let connections = 0;

/**
 * Another text after every commit of another connection, whatever it has written and whichever process has it; and for every connection. It
 * says nothing outside of this process, and commits of this connection itself don't change it.
 */
export function versionOf(reader: Reader): string {
  let number = numbers.get(reader);
  if (number === undefined) {
    number = ++connections;
    numbers.set(reader, number);
  }
  return `${number}-${reader.value<number>("PRAGMA data_version")}`;
}
