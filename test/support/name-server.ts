// A name server, over UDP, that says what a test wants.

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { after } from "node:test";

const A = 1;
const HEADER_BYTES = 12;

/**
 * Starts a name server. It ends with the test, or the file, that starts it.
 * @param addressesOf the IPv4 addresses of a name, each time that it is asked for. undefined: no answer
 * @returns its address, with the port
 */
export async function startNameServer(addressesOf: (name: string) => string[] | undefined): Promise<string> {
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => {
    const { name, end } = readName(query);
    const question = query.subarray(HEADER_BYTES, end + 4);
    const found = query.readUInt16BE(end) === A ? addressesOf(name) : [];
    if (!found) return;
    const header = Buffer.from(query.subarray(0, HEADER_BYTES));
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(found.length, 6);
    header.writeUInt16BE(0, 10);
    const records = found.map((one) => {
      // The name of the question, type A, class IN, no time to live, four bytes.
      const head = Buffer.from("c00c00010001000000000004", "hex");
      return Buffer.concat([head, Buffer.from(one.split(".").map(Number))]);
    });
    socket.send(Buffer.concat([header, question, ...records]), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  after(() => socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), end: at + 1 };
}
