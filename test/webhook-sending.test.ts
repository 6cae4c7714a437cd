// Sending a webhook: where it may go, and that no receiver can hold it up, redirect it or fill the memory.

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createHttps } from "node:https";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { after, test } from "node:test";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { isPublic, literalAddress, nameServers, systemNames } from "../src/webhooks/address.ts";
import { type ConnectionOptions, Connections } from "../src/webhooks/connections.ts";
import { isTaken, send as sendOver } from "../src/webhooks/send.ts";
import { startNameServer } from "./support/name-server.ts";
import { answers, startReceiver } from "./support/receiver.ts";
import { until } from "./support/until.ts";

const anywhere: ConnectionOptions = { resolve: systemNames, isAllowed: () => true };
const PRIVATE = "the address of the receiver is not public";

const message = (url: string) => ({ endpoint: "1", url, headers: { "webhook-id": "1" }, body: '{"type":"x"}' });

/** Over a connection of its own. */
const send = (one: ReturnType<typeof message>, { maxMs, ...options }: ConnectionOptions & { maxMs?: number }) =>
  sendOver(one, new Connections(options), maxMs);

test("only addresses of the internet are public", () => {
  const yes = ["8.8.8.8", "93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "2001:4860:4860::8888"];
  const no = [
    ...["127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1", "172.31.255.255"],
    ...["192.168.1.1", "169.254.169.254", "100.64.0.1", "100.127.255.255", "192.0.0.1", "192.0.2.1", "198.18.0.1"],
    ...["198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"],
    ...["::", "::1", "fe80::1", "febf::1", "fc00::1", "fd00:ec2::254", "ff02::1", "fec0::1"],
    ...["::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::1"],
    ...["2001::1", "2001:db8::1", "100::1", "x", ""],
  ];
  for (const address of yes) assert.equal(isPublic(address), true, address);
  for (const address of no) assert.equal(isPublic(address), false, address);
});

test("an address in an odd form is seen to be one", () => {
  const odd: Record<string, string> = {
    "http://0x7f.1/": "127.0.0.1",
    "http://2130706433/": "127.0.0.1",
    "http://0177.0.0.1/": "127.0.0.1",
    "http://127.1/": "127.0.0.1",
    "http://127.0.0.1./": "127.0.0.1",
    "http://①②⑦.0.0.1/": "127.0.0.1",
    "http://[::ffff:127.0.0.1]/": "::ffff:7f00:1",
    "http://[0:0:0:0:0:0:0:1]/": "::1",
  };
  for (const [url, address] of Object.entries(odd)) assert.equal(literalAddress(new URL(url)), address, url);
  assert.equal(literalAddress(new URL("http://example.org/")), undefined);
});

test("nothing is sent to an address that is not public, however it is named", async () => {
  const receiver = await startReceiver();
  const port = new URL(receiver.url).port;
  const servers = [
    await startNameServer((name) => (name === "mixed.test" ? ["93.184.216.34", "127.0.0.1"] : ["127.0.0.1"])),
  ];
  const strict = { resolve: nameServers(servers), isAllowed: isPublic };
  for (const host of ["127.0.0.1", "0x7f.1", "2130706433", "[::ffff:127.0.0.1]", "rebound.test", "mixed.test"]) {
    const { status, error } = await send(message(`http://${host}:${port}/`), strict);
    assert.deepEqual([status, error], [null, PRIVATE], host);
  }
  assert.equal(receiver.received.length, 0);
});

test("a name that leads elsewhere the next time it is asked for is checked each time, and asked for once", async () => {
  const receiver = await startReceiver();
  let asked = 0;
  // The first answer is checked; a second question would get another one.
  const server = await startNameServer(() => (asked++ === 0 ? ["127.0.0.1"] : ["192.0.2.1"]));
  const options = { resolve: nameServers([server]), isAllowed: () => true };
  const url = `http://rebinding.test:${new URL(receiver.url).port}/`;
  assert.equal((await send(message(url), options)).status, 204);
  assert.equal(asked, 1);
  assert.equal(receiver.received[0]!.headers.host, new URL(url).host);
  const strict = { resolve: nameServers([await startNameServer(() => ["10.0.0.1"])]), isAllowed: isPublic };
  assert.equal((await send(message(url), strict)).error, PRIVATE);
});

test("a connection that is kept stays where it is; one that is made anew goes where the name leads then, if that is allowed", async () => {
  const here = await startReceiver();
  const elsewhere = await startReceiver("127.0.0.2", Number(new URL(here.url).port));
  let leadsTo = "127.0.0.1";
  let asked = 0;
  const server = await startNameServer(() => {
    asked++;
    return [leadsTo];
  });
  const forbidden = new Set<string>();
  const connections = new Connections({ resolve: nameServers([server]), isAllowed: (one) => !forbidden.has(one) });
  const url = `http://rebinding.test:${new URL(here.url).port}/`;
  const sendIt = async () => {
    const { status, error } = await sendOver(message(url), connections);
    return status ?? error;
  };
  assert.deepEqual([await sendIt(), asked, here.connections], [204, 1, 1]);
  // From now on the name leads to an address that nobody may send to. The connection knows nothing of that.
  leadsTo = "127.0.0.2";
  forbidden.add(leadsTo);
  assert.deepEqual([await sendIt(), asked, here.connections], [204, 1, 1]);
  // It breaks, and each new one is looked at: nothing comes to that address.
  await here.kill();
  for (let tries = 1; tries <= 3; tries++) assert.deepEqual([await sendIt(), asked], [PRIVATE, 1 + tries]);
  assert.deepEqual([here.received.length, elsewhere.connections], [2, 0]);
  // A redirect to it is not followed either, on a connection that is kept.
  leadsTo = "127.0.0.1";
  await here.start();
  here.behaves = answers(307, "", { Location: elsewhere.url });
  assert.deepEqual([await sendIt(), await sendIt(), here.connections], [307, 307, 2]);
  assert.equal(elsewhere.connections, 0);
  connections.close();
});

test("connections are kept for the next message of the same endpoint, and one that was closed meanwhile costs no attempt", async () => {
  let connected = 0;
  // Each connection takes one message, and is closed when the second comes.
  const url = await startRude((socket) => {
    connected++;
    let messages = 0;
    socket.on("data", () => {
      if (++messages === 1) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK");
      else socket.destroy();
    });
  });
  const connections = new Connections(anywhere);
  const sent = [];
  for (let number = 0; number < 3; number++) sent.push(await sendOver(message(url), connections));
  assert.deepEqual(
    sent.map(({ status, error }) => [status, error]),
    [
      [200, null],
      [200, null],
      [200, null],
    ],
  );
  assert.equal(connected, 3);
  // Another endpoint has its own, though the address is the same.
  assert.equal((await sendOver({ ...message(url), endpoint: "2" }, connections)).status, 200);
  assert.equal(connected, 4);
  connections.close();
});

test("a name server that says nothing does not hold up more than its own message", async () => {
  const silent = await startNameServer(() => undefined);
  const options = { resolve: nameServers([silent]), isAllowed: () => true, maxMs: 300 };
  const sent = await send(message("http://silent.test/"), options);
  assert.deepEqual([sent.status, sent.error], [null, "no answer within 300 ms"]);
});

test("any 2xx takes a message; a redirect is not followed", async () => {
  const receiver = await startReceiver();
  const other = await startReceiver();
  for (const [status, taken] of [
    [200, true],
    [204, true],
    [299, true],
    [301, false],
    [302, false],
    [307, false],
    [400, false],
    [410, false],
    [500, false],
  ] as const) {
    receiver.behaves = answers(status, "", { Location: other.url, "Retry-After": "7" });
    const sent = await send(message(receiver.url), anywhere);
    assert.deepEqual([sent.status, isTaken(sent), sent.retryAfterMs], [status, taken, 7000]);
  }
  assert.equal(other.received.length, 0);
});

test("no more than a kilobyte of an answer is read, and it is text", async () => {
  const receiver = await startReceiver();
  let wasCutOff = false;
  receiver.behaves = (response) => {
    response.writeHead(200);
    const chunk = Buffer.alloc(64 * 1024, "é");
    let left = 160;
    const write = () => {
      while (left-- > 0) if (!response.write(chunk)) return response.once("drain", write);
      return response.end();
    };
    response.once("close", () => {
      wasCutOff = !response.writableFinished;
    });
    write();
  };
  const sent = await send(message(receiver.url), anywhere);
  assert.deepEqual([sent.status, sent.answer], [200, "é".repeat(512)]);
  await until(() => wasCutOff, "the 10 MB are not read");
  receiver.behaves = answers(500, `a\0b${"é".repeat(600)}`);
  assert.equal((await send(message(receiver.url), anywhere)).answer, `a\ufffdb${"é".repeat(510)}`);
});

/** A server that does with a connection what it likes. */
async function startRude(behaves: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    behaves(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test("a receiver that hangs, drips or floods is left after the time for an attempt", async () => {
  const late = { ...anywhere, maxMs: 500 };
  const silent = await startRude(() => {});
  const drips = await startRude((socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    const timer = setInterval(() => socket.write("x-more: 1\r\n"), 20);
    socket.once("close", () => clearInterval(timer));
  });
  const informs = await startRude((socket) => {
    const timer = setInterval(() => socket.write("HTTP/1.1 102 Processing\r\n\r\n"), 20);
    socket.once("close", () => clearInterval(timer));
  });
  for (const url of [silent, drips, informs]) {
    const { status, error } = await send(message(url), late);
    assert.deepEqual([status, error], [null, "no answer within 500 ms"]);
  }
  const slowBody = await startRude((socket) => {
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegun");
  });
  const { status, answer } = await send(message(slowBody), late);
  assert.deepEqual([status, answer], [200, "begun"], "its status has come");
});

test("a receiver that breaks off, talks nonsense or does not listen fails, and says why", async () => {
  const closes = await startRude((socket) => socket.end());
  const resets = await startRude((socket) => socket.resetAndDestroy());
  const nonsense = await startRude((socket) => socket.end("What?\r\n\r\n"));
  const large = await startRude((socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${"x".repeat(20_000)}\r\n\r\n`));
  const dead = await startReceiver();
  await dead.kill();
  const errorOf = async (url: string) => (await send(message(url), anywhere)).error;
  for (const url of [closes, resets]) assert.equal(await errorOf(url), "the receiver has broken off the connection");
  assert.equal(await errorOf(nonsense), "the answer of the receiver is not HTTP");
  assert.equal(await errorOf(large), "the headers of the answer are too long");
  assert.equal(await errorOf(dead.url), "the receiver refuses connections");
  const nameless = { resolve: nameServers([await startNameServer(() => [])]), isAllowed: () => true };
  const unnamed = await send(message("http://no-such-name.test/"), nameless);
  assert.equal(unnamed.error, "the name of the receiver is not known");
  assert.match((await errorOf(dead.url.replace("http:", "https:")))!, /refuses connections/);
});

test("over HTTPS the receiver needs a certificate for its name, by somebody who is trusted", async () => {
  // Made for these tests. Nobody trusts them.
  const read = (name: string) => readFileSync(new URL(`support/tls/${name}.pem`, import.meta.url), "utf8");
  const messages: string[] = [];
  const server = createHttps({ key: read("key"), cert: read("certificate") }, (request, response) => {
    messages.push(request.headers.host!);
    response.writeHead(204).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const here = { resolve: async () => [{ address: "127.0.0.1", family: 4 as const }], isAllowed: () => true };
  const sendTo = (host: string) => send(message(`https://${host}:${port}/hook`), here);
  const trusted = getCACertificates("default");
  const untrusted = await sendTo("receiver.example");
  assert.match(untrusted.error!, /^the certificate of the receiver is not valid: /);
  setDefaultCACertificates([...trusted, read("authority")]);
  try {
    assert.equal((await sendTo("receiver.example")).status, 204);
    const { error } = await sendTo("other.example");
    assert.equal(error, "the certificate of the receiver is not valid: ERR_TLS_CERT_ALTNAME_INVALID");
  } finally {
    setDefaultCACertificates(trusted);
  }
  assert.deepEqual(messages, [`receiver.example:${port}`]);
});
