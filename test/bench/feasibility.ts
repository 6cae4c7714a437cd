// How long it takes to say who fits a study: 100,000 people with eight attributes, 20 quotas, a contact cap, and people who want no mail.

import { openWriter } from "../../db/sqlite/open.ts";
import { immediate } from "../../db/sqlite/write.ts";
import { type Figure, median } from "./figures.ts";
import { measure } from "./rounds.ts";
import { Service } from "./service.ts";

const PEOPLE = 100_000;
const CELLS = 20;
const ROUNDS = 9;

const content = {
  pages: [
    {
      title: "About you",
      disqualifyWhen: { attribute: "panel", is: "closed" },
      questions: [{ id: "age", key: "age", _type: "ScreenerNumericQuestion", prompt: "How old are you?" }],
    },
  ],
  quotas: Array.from({ length: CELLS }, (_, index) => ({
    name: `Cell ${index}`,
    when: {
      all: [
        { attribute: "country", is: `C${index % 5}` },
        { attribute: "age", atLeast: 18 + 3 * index },
      ],
    },
    limit: 100,
  })),
};

export async function feasibility(): Promise<Figure[]> {
  await using service = await Service.start("threads");
  const workspace = await service.workspace();
  const { caller, screenerId } = workspace;
  const put = await caller.call("PUT", `/screeners/${screenerId}/content`, { body: content });
  if (put.status !== 200) throw new Error(put.text);
  await workspace.importPeople({ count: PEOPLE });
  await caller.call("PATCH", "/workspace/mail", { body: { contactCap: { messages: 2, days: 30 } } });
  describe(workspace.path);
  const samples = await measure({ warmUps: 2, rounds: ROUNDS }, async () => {
    const before = service.web.cpuSeconds();
    const { ms, text } = await caller.call("POST", `/screeners/${screenerId}/feasibility`, { body: {} });
    const processor = (service.web.cpuSeconds() - before) * 1000;
    const { counted, noContact, quotas } = JSON.parse(text) as {
      counted: number;
      noContact: Record<string, number>;
      quotas: { fit: number }[];
    };
    const isRight =
      counted === PEOPLE && noContact.contactedRecently! > 0 && noContact.unsubscribed! > 0 && quotas[0]!.fit > 0;
    if (!isRight) throw new Error(text.slice(0, 500));
    return { ms, processor };
  });
  workspace.close();
  const what = `Who of ${PEOPLE.toLocaleString("en")} people fits, × ${CELLS} quotas`;
  const target = { atMost: 300 };
  return [
    { what, unit: "ms", value: median(samples.ms), target, samples: { ms: samples.ms } },
    // Others may use the processors, too.
    {
      what: "– processor time",
      unit: "ms",
      value: median(samples.processor),
      target,
      samples: { ms: samples.processor },
    },
  ];
}

/** Gives people attributes, messages that they have had, and an end of them. */
function describe(path: string): void {
  const db = openWriter(path, { busyTimeoutMs: 10_000, checkpoints: true });
  immediate(db, () => {
    db.exec(`UPDATE participant SET attributes = json_object('age', 18 + id * 7919 % 70, 'city', 'City ' || (id * 31 % 500), 'country', 'C' || (id % 5),
      'panel', iif(id % 10, 'open', 'closed'), 'segment', 'S' || (id * 17 % 11), 'sex', iif(id % 2, 'f', 'm'), 'since', 2000 + id * 13 % 20, 'tier', id % 4)
      WHERE id > 0`);
    db.run(
      `INSERT INTO message (uid, kind, participant_id, language, state, created_at, contacted_at)
       SELECT 'm' || p.id || '-' || n.value, 'MAILING', p.id, 'en', 'SENT', 1, ? FROM participant AS p, json_each('[1, 2]') AS n WHERE p.id % 3 = 0`,
      Date.now(),
    );
    db.exec(
      "INSERT INTO unsubscription (participant_id, screener_id, created_at) SELECT id, NULL, 'now' FROM participant WHERE id % 50 = 1",
    );
    db.run(
      `INSERT INTO mail_suppression (uid, hash, mark, reason, created_by, created_at)
       SELECT 's' || p.id, mail_hash(p.email, k.key), mail_mark(p.email, k.key), 'BOUNCED', (SELECT min(id) FROM actor), 'now'
       FROM participant AS p, reference_key AS k WHERE p.id % 100 = 7`,
    );
  });
  db.get("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
}
