// What SQL says about addresses of mail.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openScratch } from "../../db/sqlite/open.ts";

const PLAIN = ["ada@example.org", "Ada.B-C_d+e9@EXAMPLE.co", "a@b.cd", "a@b@c.de"];

const OTHER_WAYS = ["ada@bücher.example", "ada@XN--bcher-kva.example", "ada@xn--bcher-kva.example", "ſ@example.org"];
const NOT_PLAIN = ["ada @example.org", "ada,b@example.org", "ada\n@example.org", "'ada'@example.org"];
const NONE = ["", "ada", "@example.org", "ada@example", "ada@.org", "ada@example.o"];

test("an address that may be another's, or none, is odd", () => {
  const db = openScratch(":memory:", 0);
  const isOdd = (address: string | null) => db.value<number | null>("SELECT mail_is_odd(?)", address);
  for (const address of PLAIN) assert.equal(isOdd(address), 0, address);
  for (const address of [...OTHER_WAYS, ...NOT_PLAIN, ...NONE]) assert.equal(isOdd(address), 1, address);
  assert.equal(isOdd(null), null);
  db.close();
});
