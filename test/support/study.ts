// A study to take part in, with every kind of question, and people with links to it.

import type { Client } from "./client.ts";

/** A link, and what it stands for. */
export interface Invitation {
  assignment: string;
  session: string;
  screener: string;
  /** The paths of the link and the short link on the service. */
  path: string;
  shortPath: string;
}

/** Ids of a published content, by the keys of questions and the titles of pages. */
export interface Published {
  screener: string;
  publication: string;
  question: Record<string, string>;
  page: Record<string, string>;
  /** `key/text of the option`. */
  option: Record<string, string>;
}

/** Three pages that everybody sees, and one that smokers see; a participant under 18 is screened out. */
export const everyKind = {
  pages: [
    {
      title: "About you",
      description: "Thank you for helping us.\nThis takes about two minutes.",
      disqualifyWhen: { questionId: "age", lessThan: 18 },
      questions: [
        {
          id: "age",
          key: "age",
          _type: "ScreenerNumericQuestion",
          prompt: "How old are you?",
          required: true,
          min: 0,
          max: 120,
          wholeNumber: true,
        },
        {
          id: "smokes",
          key: "smokes",
          _type: "ScreenerSingleSelectQuestion",
          prompt: "Do you smoke?",
          helpText: "Cigarettes, cigars or a pipe.",
          required: true,
          options: [
            { id: "yes", text: "Yes" },
            { id: "sometimes", text: "Sometimes" },
            { id: "no", text: "No" },
          ],
        },
        {
          key: "how_often",
          _type: "ScreenerTextQuestion",
          prompt: "How often is sometimes?",
          required: true,
          showWhen: { questionId: "smokes", equals: "sometimes" },
        },
      ],
    },
    {
      title: "Smoking",
      showWhen: { questionId: "smokes", oneOf: ["yes", "sometimes"] },
      questions: [
        {
          key: "brands",
          _type: "ScreenerMultiSelectQuestion",
          prompt: "Which of these have you smoked in the last week?",
          required: true,
          options: [{ text: "Cigarettes" }, { text: "Cigars" }, { text: "A pipe" }],
          allowsWriteIn: true,
          maxChoices: 3,
        },
      ],
    },
    {
      title: "Your days",
      questions: [
        {
          key: "drink",
          _type: "ScreenerSingleSelectQuestion",
          prompt: "What do you drink in the morning?",
          required: true,
          options: [{ text: "Tea" }, { text: "Coffee" }],
          allowsWriteIn: true,
        },
        {
          key: "town",
          _type: "ScreenerTextQuestion",
          prompt: "Which town do you live in?",
          required: false,
          maxLength: 100,
        },
        {
          key: "day",
          _type: "ScreenerTextQuestion",
          prompt: "How does a usual day of yours begin?",
          helpText: "A few words are enough.",
          required: true,
          multiline: true,
          minLength: 5,
        },
      ],
    },
  ],
};

/** Gives a new screener this content, and publishes it. */
export async function publish(
  client: Client,
  content: object,
  more: { title?: string; targetQualifiedParticipants?: number; tags?: object[] } = {},
): Promise<Published> {
  const { title = "Sleep and smoke", ...publication } = more;
  const screener = await client.screener(title);
  const put = await client.call("PUT", `/screeners/${screener}/content`, { body: content });
  if (put.status !== 200) throw new Error(put.text);
  const { body } = await client.post("/screener-publications", { screenerId: screener, ...publication });
  const published: Published = { screener, publication: body.id, question: {}, page: {}, option: {} };
  for (const page of put.body.pages) {
    published.page[page.title] = page.id;
    for (const { id, key, options = [] } of page.questions) {
      published.question[key] = id;
      for (const option of options) published.option[`${key}/${option.text}`] = option.id;
    }
  }
  return published;
}

/** Imports people into a screener, and opens a session for each. @param attributesOf what each has, by its index */
export async function invite(
  client: Client,
  screener: string,
  count = 1,
  attributesOf: (index: number) => object = () => ({}),
): Promise<Invitation[]> {
  const salt = screener.slice(-8);
  const rows = Array.from({ length: count }, (_, index) => ({
    externalUid: `${salt}-${index}`,
    email: `${salt}-${index}@example.org`,
    name: `Person ${index}`,
    attributes: attributesOf(index),
  }));
  const answer = await client.import(screener, rows);
  if (answer.status !== 200) throw new Error(answer.text);
  const imported: { id: string }[] = answer.body;
  const invitations: Invitation[] = [];
  for (const { id } of imported) {
    const { body } = await client.post("/screener-sessions", { screenerParticipantId: id });
    const link = new URL(body.screenerSessionLink).pathname;
    const [workspace] = link.split("/screeners/");
    invitations.push({
      assignment: id,
      session: body.id,
      screener,
      path: link,
      shortPath: `${workspace}/s/${body.linkSlug}`,
    });
  }
  return invitations;
}

/** A new study, and one person who is invited to it. */
export async function invited(
  client: Client,
  content: object = everyKind,
  more: Parameters<typeof publish>[2] = {},
): Promise<{ study: Published; link: Invitation }> {
  const study = await publish(client, content, more);
  const [link] = await invite(client, study.screener);
  return { study, link: link! };
}

/** A session, of a screener of its own, that waits for its review. @returns its id */
export async function pendingReview(client: Client): Promise<string> {
  const { screener } = await publish(client, { pages: [{ title: "Welcome", questions: [] }] });
  await client.patch(`/screeners/${screener}`, { review: "ALL" });
  const [invitation] = await invite(client, screener);
  const { session } = invitation!;
  await client.post(`/screener-sessions/${session}/responses`, { responses: [], complete: true });
  return session;
}

/** The session, as the API shows it. */
export async function readSession(client: Client, session: string) {
  return (await client.get(`/screener-sessions/${session}`)).body;
}

/** The status of an assignment. */
export async function readStatus(client: Client, assignment: string): Promise<string> {
  return (await client.get(`/screener-participants/${assignment}`)).body.status;
}

/** The answers of a session by the keys of the questions, in the API's order. */
export async function readAnswers(
  client: Client,
  session: string,
  { question }: Published,
): Promise<Record<string, unknown>> {
  const keys = new Map(Object.entries(question).map(([key, id]) => [id, key]));
  const items = (await client.all(
    `/screener-responses?filter[screenerSessionId][eq]=${session}`,
  )) as unknown as Given[];
  return Object.fromEntries(items.map((item) => [keys.get(item.screenerQuestionId), wordsOf(item)]));
}

interface Given {
  _type: string;
  screenerQuestionId: string;
  answer: unknown;
}

/** An answer without the ids of the options that were chosen: tests name them by their words. */
export function wordsOf({ _type, answer }: Given): unknown {
  if (!/Select/.test(_type) || !Array.isArray(answer)) return answer;
  return answer.map(({ optionId, ...words }) => words);
}
