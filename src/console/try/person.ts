// The person of a test drive: attributes, arms and orders by chance, as they come with its forms.

import type { ArmIds } from "../../arms/queries.ts";
import type { AttributeValue } from "../../base/attributes.ts";
import { newUnguessableId } from "../../base/ids.ts";
import { type OrderSeed, SHUFFLE_VERSION } from "../../chance/shuffle.ts";
import type { Screener } from "../../client/types.ts";
import { attributesUsed } from "../../nouns/content/advice/warnings.ts";
import type { Content } from "../../nouns/content/content.ts";
import { attributesReferredTo } from "../../nouns/content/draft-references.ts";
import { inShownOrder } from "../../nouns/content/order.ts";
import { todayOf } from "../../nouns/screeners/time-zones.ts";
import type { SpokenContent } from "../../participant-page/spoken.ts";
import type { VisitorRequest } from "../shell/request.ts";
import type { Said } from "./said.ts";

type Fields = VisitorRequest["fields"];

/** The field with what the orders by chance come from, and the button that draws others. */
export const ORDER = "order";
export const DRAW = "draw";

const MAX_SEED_LENGTH = 64;

/** What orders come from: what came with the form, unless others are drawn. */
export function seedOf(fields: Fields): string {
  const sent = fields(ORDER).slice(0, MAX_SEED_LENGTH);
  return sent === "" || fields(DRAW) !== "" ? newUnguessableId() : sent;
}

/** The attributes that matter to a draft. */
export function attributesOf(content: Content): string[] {
  return [...new Set([...attributesUsed(content), ...attributesReferredTo(content)])];
}

/** The attributes as typed. One that is empty is missing. */
export function typedAttributes(content: Content, fields: Fields): Record<string, string> {
  const typed = attributesOf(content).map((key, index) => [key, fields(`attribute-${index}`)]);
  return Object.fromEntries(typed.filter(([, value]) => value !== ""));
}

/** Of somebody who answers now. */
const todayIn = ({ timeZone }: Pick<Screener, "timeZone">) => todayOf(() => timeZone, Date.now());

/** Without attributes and arms, in an order of their own. */
export const somebody = () => ({ attributes: {}, arms: new Map<string, string>(), seed: newUnguessableId() });

/** The arms that were chosen to begin with. */
export function chosenArms(content: Content, fields: Fields): ArmIds {
  const { assignments = [] } = content;
  return knownArms(content, new Map(assignments.map(({ id }, index) => [id, fields(`arm-${index}`)])));
}

/** Those that came with a form. */
export function armsOf(content: Content, json: string): ArmIds {
  return knownArms(content, new Map(Object.entries(Object(parsed(json)))));
}

/** Those of them that the draft has. */
function knownArms({ assignments = [] }: Content, sent: ReadonlyMap<string, unknown>): ArmIds {
  return new Map(
    assignments.flatMap(({ id, arms }) => arms.filter((arm) => arm.id === sent.get(id)).map((arm) => [id, arm.id])),
  );
}

/** The draft as somebody is shown it. */
export function personal(
  content: Content,
  screener: Pick<Screener, "timeZone">,
  { attributes, arms, seed }: { attributes: Record<string, string>; arms: ArmIds; seed: string },
  said: Said,
): SpokenContent & { order: OrderSeed } {
  const known = new Map(Object.entries(attributes).map(([key, text]) => [key, { value: attributeValue(text) }]));
  const order = { seed, version: SHUFFLE_VERSION };
  const { timeZone } = screener;
  const circumstances = { attributes: () => known, today: todayIn(screener), timeZone: () => timeZone, arms };
  const spoken = { ...content, ...said, ...circumstances };
  return inShownOrder({ ...spoken, order });
}

function attributeValue(text: string): AttributeValue {
  return text === "true" || text === "false" ? text === "true" : text;
}

export function attributesFrom(json: string): Record<string, string> {
  const entries = Object.entries(Object(parsed(json))).filter(([, value]) => typeof value === "string");
  return Object.fromEntries(entries) as Record<string, string>;
}

export function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
