// Requests of all kinds, all the time: lists and single reads, small writes, imports, sessions and their answers. What fails is kept.

import assert from "node:assert/strict";
import { ASYNC, type Client, people } from "./client.ts";
import { until } from "./until.ts";

const CONTENT = {
  pages: [{ questions: [{ id: "one", _type: "ScreenerTextQuestion", prompt: "Anything?" }] }],
  qualifyWhen: { questionId: "one", answered: true },
};

/** Rows of an import whose caller waits, and people who can take part. */
const ROWS = 200;

interface Figures {
  reads: number;
  writes: number;
  failed: string[];
  slowest: number;
  /** What took the longest. */
  slowestWas: string;
}

export class Load {
  readonly #client: Client;
  readonly #figures: Figures = { reads: 0, writes: 0, failed: [], slowest: 0, slowestWas: "" };
  readonly #loops: Promise<void>[];
  #isOver = false;
  #screener = "";
  #question = "";
  #roster: string[] = [];
  #created = 0;
  #submitted = 0;
  #imported = 0;

  private constructor(client: Client) {
    this.#client = client;
    this.#loops = [];
  }

  /** Makes a study with people, and begins. */
  static async start(client: Client): Promise<Load> {
    const load = new Load(client);
    await load.#prepare();
    load.#loops.push(load.#reading(), load.#reading(), load.#writing(), load.#importing(), load.#answering());
    return load;
  }

  get figures(): Readonly<Figures> {
    return this.#figures;
  }

  /** Resolves after so many further requests of each kind. */
  async goesOn(requests = 60): Promise<void> {
    const { reads, writes } = this.#figures;
    const { imported, submitted } = { imported: this.#imported, submitted: this.#submitted };
    await until(
      () =>
        this.#figures.reads >= reads + requests &&
        this.#figures.writes >= writes + requests / 4 &&
        this.#imported > imported &&
        this.#submitted > submitted,
      `the load goes on: ${JSON.stringify(this.#figures)}`,
      60_000,
    );
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#loops);
  }

  /** Whether all is there that was answered, once. */
  async check(): Promise<void> {
    const total = async (path: string) => (await this.#client.get(path)).body.total;
    assert.equal(await total("/screeners?pagination[limit]=1"), 1 + this.#created);
    assert.equal(await total("/screener-responses?pagination[limit]=1"), this.#submitted);
    const imports = "/jobs?filter[kind][eq]=SCREENER_PARTICIPANTS_IMPORT&filter[status][eq]";
    assert.equal(await total(`${imports}=SUCCEEDED&pagination[limit]=1`), 1 + this.#imported);
    assert.equal(await total(`${imports}=FAILED&pagination[limit]=1`), 0);
  }

  async #prepare(): Promise<void> {
    const client = this.#client;
    this.#screener = await client.screener("Load");
    const screener = `/screeners/${this.#screener}`;
    assert.equal((await client.call("PUT", `${screener}/content`, { body: CONTENT })).status, 200);
    const wait = { Prefer: "wait=60" };
    const published = await client.post("/screener-publications", { screenerId: this.#screener }, wait);
    assert.equal(published.status, 201, published.text);
    const content = (await client.get(`/screener-publications/${published.body.id}/content`)).body;
    this.#question = content.pages[0].questions[0].id;
    const imported = await client.import(this.#screener, people(ROWS), {}, wait);
    assert.equal(imported.status, 200, imported.text);
    this.#roster = imported.body.map(({ id }: { id: string }) => id);
  }

  async #reading(): Promise<void> {
    const paths = [
      "/participants?pagination[limit]=20",
      `/screeners/${this.#screener}`,
      `/screener-participants?filter[screenerId][eq]=${this.#screener}&pagination[limit]=5`,
      "/jobs?pagination[limit]=5",
      "/screener-sessions?pagination[limit]=5",
      "/events?pagination[limit]=5",
      `/screeners/${this.#screener}/export`,
    ];
    for (let n = 0; !this.#isOver; n++) {
      const path = paths[n % paths.length]!;
      if (await this.#ask(path, () => this.#client.get(path), 200)) this.#figures.reads++;
    }
  }

  async #writing(): Promise<void> {
    for (let n = 1; !this.#isOver; n++) {
      if (await this.#write("a new screener", () => this.#client.post("/screeners", { title: `Study ${n}` }), 201))
        this.#created++;
      const path = `/screeners/${this.#screener}`;
      await this.#write("a changed screener", () => this.#client.patch(path, { description: `${n}` }), 200);
    }
  }

  async #importing(): Promise<void> {
    for (let n = 1; !this.#isOver; n++) {
      const rows = people(ROWS).map((row) => ({ ...row, name: `${row.name} ${n}` }));
      const prefer = n % 2 ? { Prefer: "wait=60" } : ASYNC;
      const asked = () => this.#client.import(this.#screener, rows, {}, prefer);
      const answer = await this.#write("an import", asked, n % 2 ? 200 : 202);
      if (!answer) continue;
      if (n % 2 === 0) {
        const path = `/jobs/${answer.body.id}`;
        const end = await this.#ask(path, () => this.#client.get(path, { Prefer: "wait=60" }), 200);
        if (end && end.body.status !== "SUCCEEDED") this.#figures.failed.push(`an import's end: ${end.text}`);
      }
      this.#imported++;
    }
  }

  async #answering(): Promise<void> {
    for (let n = 0; !this.#isOver; n++) {
      const person = this.#roster[n % this.#roster.length]!;
      const opened = await this.#write("a session", () => this.#client.open(person), 201);
      if (!opened) continue;
      const responses = [{ screenerQuestionId: this.#question, answer: `Answer ${n}` }];
      const path = `/screener-sessions/${opened.body.id}/responses`;
      const submit = () => this.#client.post(path, { responses, complete: true });
      if (await this.#write("a submission", submit, 200)) this.#submitted++;
    }
  }

  async #write(what: string, send: () => ReturnType<Client["get"]>, status: number) {
    const answer = await this.#ask(what, send, status);
    if (answer) this.#figures.writes++;
    return answer;
  }

  async #ask(what: string, send: () => ReturnType<Client["get"]>, status: number) {
    const began = performance.now();
    try {
      const answer = await send();
      if (answer.status === status) return answer;
      this.#figures.failed.push(`${what}: ${answer.status} ${answer.text.slice(0, 300)}`);
    } catch (error) {
      this.#figures.failed.push(`${what}: ${error instanceof Error ? (error.cause ?? error) : error}`);
    } finally {
      const took = performance.now() - began;
      if (took > this.#figures.slowest) Object.assign(this.#figures, { slowest: took, slowestWas: what });
    }
    return undefined;
  }
}
