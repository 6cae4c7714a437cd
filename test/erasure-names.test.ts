// What names a person in a text that people have written: in many languages, in many spellings, and not in those about others.

import assert from "node:assert/strict";
import { test } from "node:test";
import { quotedForms } from "../src/erasure/identity.ts";
import { Mentions } from "../src/erasure/mentions.ts";
import { ERASED, Names } from "../src/erasure/names.ts";
import type { Person } from "../src/erasure/person.ts";

const person = (names: string[], more: Partial<Person> = {}): Person => ({
  uid: "019a0000-0000-7000-8000-00000000abcd",
  externalUids: [],
  emails: [],
  assignments: [],
  sessions: [],
  slugs: [],
  names,
  ...more,
});

const isSaid = (name: string, text: string) => new Names(person([name])).isIn(text, "SAID");

/** Names, texts that name the person, and texts that do not. */
const spoken: [name: string, named: string[], others: string[]][] = [
  [
    "Hedwig Zyprian",
    ["with HEDWIG ZYPRIAN.", "Zyprian, Hedwig", "Hedwig called", "Zyprian's answer", "(Hedwig)"],
    ["headwind", "zyp"],
  ],
  ["An Li", ["An Li was here", "Li, An"], ["an import", "An import of 10", "and so on", "Li-ion", "in an li element"]],
  ["Rose Miller", ["Rose asked", "Millers wish"], ["a rose", "the price rose", "a miller"]],
  ["Mark", ["Mark is back"], ["to mark it", "remarkable"]],
  ["Ludwig van Beethoven", ["Beethovens Wunsch"], ["a van came"]],
  ["José Núñez", ["jose nunez", "JOSE\u0301 NU\u0301N\u0303EZ", "Nuñez rang"], ["joseph's coat"]],
  ["Şükrü Işık", ["sukru isik", "ŞÜKRÜ IŞIK"], []],
  ["山田太郎", ["山田太郎さんに電話した", "山田 太郎様", "担当は山田太郎です"], ["山田花子さん", "太郎"]],
  ["山田 太郎", ["山田太郎さん", "太郎さんが来た"], ["桃太郎の本", "山の中の田"]],
  ["王伟", ["王伟来了", "给王伟打电话", "王伟大概不来"], ["国王伟大"]],
  ["สมชาย ใจดี", ["คุณสมชายใจดีโทรมา", "สมชายโทรมา"], ["โทรมา"]],
  ["김민수", ["김민수가 전화했다", "김민수에게"], ["민수", "이김민수진"]],
  ["محمد سعيد", ["لمحمد سعيد", "ومُحَمَّد سَعيد"], ["أحمد"]],
  ["Анна Иванова", ["звонила Анне Ивановой", "ответ Ивановой", "ИВАНОВА АННА"], ["анналы", "иван"]],
  ["Matti Virtanen", ["Matille Virtaselle", "Virtasen Matti", "Virtanenille"], ["virta on poikki", "matto"]],
  ["Pavel Novák", ["pro Pavla Nováka", "Novákovi"], ["novela"]],
  ["Mária Kovács", ["Kovács Máriának", "Kováccsal"], ["kovászos uborka"]],
  ["Οδυσσεύς Ελύτης", ["ΟΔΥΣΣΕΥΣ ΕΛΥΤΗΣ", "του Ελύτη"], ["οδός"]],
];

test("names are found in the languages that they are written in, and not in words that only look like them", () => {
  const missed = spoken.flatMap(([name, named]) =>
    named.filter((text) => !isSaid(name, text)).map((text) => `${name}: ${text}`),
  );
  const wrong = spoken.flatMap(([name, , others]) =>
    others.filter((text) => isSaid(name, text)).map((text) => `${name}: ${text}`),
  );
  assert.deepEqual({ missed, wrong }, { missed: [], wrong: [] });
});

test("emails and ids are found in whatever stands around them", () => {
  const ada = new Names(
    person([], { emails: ["ada@example.org"], externalUids: ["P-5", "42", "An"], slugs: ["Kx7Qp2"] }),
  );
  for (const text of [
    "ada@example.org x",
    "MAILTO:Ada@Example.ORG",
    '"ada@example.org"',
    "<ada@example.org>,",
    "ada@example.org\u200b",
    "ａｄａ@example.org",
    "メールはada@example.orgです",
    "ada@example.org로",
    "see P-5.",
    "sync:p-5",
    "P-5さん",
    "https://x.example/s/Kx7Qp2",
    "of 019A0000-0000-7000-8000-00000000ABCD",
  ])
    assert.ok(ada.isIn(text, "KEY"), text);
  for (const text of ["bada@example.org", "ada@example.organic", "P-55", "42 people", "An import", "GP-5"])
    assert.ok(!ada.isIn(text, "SAID"), text);
});

test("questions lose a name only where it is unmistakable, and nothing around it", () => {
  const rose = new Names(
    person(["Rose Miller", "Will"], { emails: ["rose@example.org"], externalUids: ["Rose", "2024", "ROSE-7731"] }),
  );
  const text = "Will you tell Rose in 2024? Rose Miller (ＲＯＳＥ@example.org, rose-7731) will.";
  assert.equal(rose.without(text, "SHOWN"), `Will you tell Rose in 2024? ${ERASED} (${ERASED}, ${ERASED}) will.`);
  // Names can be the words of any question. What is asked of everybody must not go with a person.
  const odd = new Names(person(["How Old", "how old", "Rose Wine", "Anna van der Berg"]));
  const asked = "How old are you? Do you drink rose wine? HOW OLD is it? Rose Wine knows Anna van der Berg's.";
  assert.equal(
    odd.without(asked, "SHOWN"),
    `How old are you? Do you drink rose wine? ${ERASED} is it? ${ERASED} knows ${ERASED}.`,
  );
});

test("an id that errors have cut, also within a character, is found", () => {
  const long = `${"x".repeat(99)}😀${"y".repeat(20)}`;
  const mentions = new Mentions(person([], { externalUids: [long] }));
  for (const shown of [...quotedForms(long), `${long.slice(0, 100).toWellFormed()}…`]) {
    const problem = JSON.stringify({
      code: "invalid_request",
      errorCount: 1,
      errors: [{ pointer: "/participants/0/email", message: `is wrong (row 1, ${shown})`, row: 1, externalUid: shown }],
    });
    assert.doesNotMatch(mentions.withoutErrors(problem), /xxx/);
  }
});

test("random names are found in random sentences, and what is left has nothing of them", () => {
  const alphabets = [
    "abcdefghijklmnoprstuvz",
    "абвгдежзиклмнопрст",
    "αβγδεζηθικλμνξοπ",
    "山田太郎花子佐藤鈴木",
    "ابتثجحخدذرزسش",
    "ก ขคงจฉชซ".replace(" ", ""),
    "가나다라마바사",
  ];
  let seed = 20260;
  const random = (n: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return Math.floor((seed / 0x7fffffff) * n);
  };
  const wordOf = (letters: string, n: number) =>
    Array.from({ length: n }, () => [...letters][random([...letters].length)]).join("");
  const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1);
  for (let round = 0; round < 60; round++) {
    const letters = alphabets[random(alphabets.length)]!;
    const name = `${capital(wordOf(letters, 3 + random(6)))} ${capital(wordOf(letters, 3 + random(6)))}`;
    const email = `${wordOf("abcdef", 4)}.${wordOf("ghijkl", 4)}@example.org`;
    const externalUid = `${wordOf("ABCDEF", 2)}-${1000 + random(9000)}`;
    const names = new Names(person([name], { emails: [email], externalUids: [externalUid] }));
    const around = () => wordOf("qwxy ,.;()", random(8)) + [" ", ", ", "\u00a0", "("][random(4)];
    const shapes = [
      name,
      name.toUpperCase(),
      name.normalize("NFD"),
      name.replace(" ", ", "),
      email,
      email.toUpperCase(),
      `<${email}>`,
      externalUid,
    ];
    const said = shapes[random(shapes.length)]!;
    const text = `${around()}${said} ${around()}`;
    assert.ok(names.isIn(text, "SAID"), `${name}: ${text}`);
    const left = names.without(text, "SAID");
    assert.ok(!names.isIn(left, "SAID"), `${name}: ${text} → ${left}`);
    assert.ok(!left.includes(said), left);
  }
});
