// What signals compare is hashed and normalized as the libraries do it, in less time.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { cookieIn, visitorMarks } from "../src/signals/browsers.ts";
import { keyedHash } from "../src/signals/keyed-hash.ts";
import { normalizedEmail, normalizedText } from "../src/signals/normalized.ts";
import { seeded } from "./support/seeded.ts";

const random = seeded("hashes of signals");
const upTo = (most: number) => Math.floor(random() * (most + 1));

function text(length: number, signs: string): string {
  const all = [...signs];
  return Array.from({ length }, () => all[upTo(all.length - 1)]).join("");
}

test("a keyed hash is HMAC-SHA-256, of texts of all lengths and letters, one after the other", () => {
  for (let round = 0; round < 30; round++) {
    const key = Buffer.from(Array.from({ length: upTo(64) }, () => upTo(255)));
    const hash = keyedHash(key);
    for (const length of [0, upTo(60), 447, 448, 449, upTo(2000)]) {
      const one = text(length, round % 2 ? "ab1 .:-_" : "aß語😀 ");
      assert.equal(hash(one), createHmac("sha256", key).update(one).digest("hex"), `${key.length}, ${one.length}`);
    }
  }
  assert.throws(() => keyedHash(Buffer.alloc(65)), /65 bytes/);
});

test("a text of ASCII is normalized as one with other letters", () => {
  const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).join("");
  assert.equal(normalizedText("It's 5 O'CLOCK, said_Ünal!"), "its5oclocksaidünal");
  for (let round = 0; round < 500; round++) {
    const one = text(upTo(40), ASCII);
    assert.equal(`${normalizedText(one)}é`, normalizedText(`${one}é`), JSON.stringify(one));
  }
});

test("a cookie is found among others, and no other one is taken for it", () => {
  const of = (header: string | undefined) => cookieIn(header, "browser-1");
  assert.equal(of("browser-1=a.b"), "a.b");
  assert.equal(of("theme=dark; browser-1=a.b; browser-11=c.d"), "a.b");
  assert.equal(of("browser-11=c.d; my-browser-1=e;browser-1=x=y"), "x=y");
  for (const header of [undefined, "", "browser-1", "browser-11=c", "a=browser-1=b"])
    assert.equal(of(header), undefined);
});

test("an address has the mark of its block, however it is written, and of no other one", () => {
  const key = keyedHash(Buffer.from("a key"));
  const markOf = (address: string) => visitorMarks(key, undefined, address).address;
  const same = (addresses: string[]) => assert.equal(new Set(addresses.map(markOf)).size, 1, addresses.join());
  same(["192.0.2.1", "192.0.2.254", "::ffff:192.0.2.77", "::ffff:c000:263"]);
  same(["2001:db8:0:aa00::1", "2001:db8:0:aaff:1:2:3:4"]);
  const others = ["192.0.2.1", "192.0.3.1", "193.0.2.1", "2001:db8:0:aa00::1", "2001:db8:0:ab00::1"].map(markOf);
  assert.equal(new Set(others).size, others.length);
  for (const none of ["", "unknown", "192.0.2.1.5", "fe80::1%eth0:x"]) assert.equal(markOf(none), undefined, none);
});

test("an email of ASCII is normalized as one with other letters", () => {
  assert.equal(normalizedEmail(" Ann.Lee+Two@GoogleMail.com "), "annlee@gmail.com");
  assert.equal(normalizedEmail("ＡNN+x@Example.org"), "ann@example.org");
  assert.equal(normalizedEmail("ANN@example.ORG"), "ann@example.org");
});
