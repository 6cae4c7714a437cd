// The people whom the benchmark imports. Each is made from a number, so that floor and service get the same rows; and
// neighbours in the payload are far apart in every index, as they are in a real roster.

import { closeSync, openSync, statSync, writeFileSync, writeSync } from "node:fs";

export interface Person {
  externalUid: string;
  email: string;
  name: string;
}

const FIRST = ["Ada", "Alan", "Barbara", "Donald", "Edsger", "Frances", "Grace", "John", "Katherine", "Margaret"];
const LAST = ["Allen", "Backus", "Dijkstra", "Hamilton", "Hopper", "Johnson", "Knuth", "Liskov", "Lovelace", "Turing"];
const AT_ONCE = 10_000;

export function person(number: number): Person {
  const mixed = scatter(number);
  const first = FIRST[mixed % 10]!;
  const last = LAST[(mixed >>> 8) % 10]!;
  return {
    externalUid: `R-${mixed.toString(16).padStart(8, "0")}`,
    email: `${first}.${last}.${scatter(mixed ^ 0x5bd1e995).toString(36)}@example.org`.toLowerCase(),
    name: `${first} ${last}`,
  };
}

export function people(count: number, from = 0): Person[] {
  return Array.from({ length: count }, (_, index) => person(from + index));
}

/** Whom an import's body names, and how. */
export interface Which {
  count: number;
  /** The number of the first person. Default: 0. */
  from?: number;
  /** Appended to every name, so that it is another one. */
  surname?: string;
  isDryRun?: boolean;
  /** Without ids: matched by their emails. */
  byEmail?: boolean;
}

/** Writes an import's body. @returns its size in bytes */
export function writePayload(
  path: string,
  { screenerId, count, from = 0, surname = "", isDryRun = false, byEmail = false }: Which & { screenerId: string },
): number {
  const file = openSync(path, "w");
  try {
    const matchBy = byEmail ? "email" : "externalUid";
    writeSync(
      file,
      `{"screenerId":"${screenerId}","importMode":"FULL_SYNC","dryRun":${isDryRun},"matchBy":"${matchBy}","participants":[`,
    );
    for (let done = 0; done < count; done += AT_ONCE) {
      const rows = people(Math.min(AT_ONCE, count - done), from + done).map(({ externalUid, email, name }) =>
        JSON.stringify({ ...(!byEmail && { externalUid }), email, name: name + surname }),
      );
      writeSync(file, `${done ? "," : ""}${rows.join()}`);
    }
    writeSync(file, "]}");
  } finally {
    closeSync(file);
  }
  return statSync(path).size;
}

/** Writes the same people as a CSV. @returns its size in bytes */
export function writeCsv(path: string, count: number): number {
  const lines = people(count).map(({ externalUid, email, name }) => `${externalUid},${email},${name}\r\n`);
  writeFileSync(path, `externalUid,email,name\r\n${lines.join("")}`);
  return statSync(path).size;
}

/** Another number for each 32-bit number, with nothing left of their order. */
function scatter(number: number): number {
  let mixed = number;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
