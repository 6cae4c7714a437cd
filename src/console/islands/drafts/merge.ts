// Brings two versions of a draft together that began with the same one: what only one of them has changed is taken from there. Pages,
// questions, quotas and assignments are pieces of their own, and so is each other member of the content.

import { isEqual } from "../../../nouns/content/advice/changes.ts";
import type { Content, Page } from "../../../nouns/content/content.ts";

export type Side = "base" | "ours" | "theirs";

/** The same of each version. */
type Each<Value> = Record<Side, Value>;

/** Whose version of a piece is taken. @param by who has changed it */
type Pick = (key: string, by: "ours" | "theirs" | "both") => Side;

const each = <From, To>(of: Each<From>, map: (one: From) => To): Each<To> => ({
  base: map(of.base),
  ours: map(of.ours),
  theirs: map(of.theirs),
});

/** The keys of the pieces that both have changed, and not in the same way. */
export function conflictsIn(versions: Each<Content>): string[] {
  const keys: string[] = [];
  assembled(versions, (key, by) => {
    if (by === "both") keys.push(key);
    return "ours";
  });
  return keys;
}

/** Both together. @param chosen whose version is taken of what both have changed */
export function merged(versions: Each<Content>, chosen: ReadonlyMap<string, Side>): Content {
  return assembled(versions, (key, by) => (by === "both" ? (chosen.get(key) ?? "ours") : by));
}

/** The draft that both began with, and of one piece the version of one of them. */
export function withOnly(versions: Each<Content>, key: string, side: Side): Content {
  return assembled(versions, (one) => (one === key ? side : "base"));
}

function assembled(versions: Each<Content>, pick: Pick): Content {
  const others = each(
    versions,
    ({ pages: _, quotas: __, assignments: ___, ...rest }) => rest as Record<string, unknown>,
  );
  const names = new Set(Object.values(others).flatMap(Object.keys));
  const members = [...names].map((name) => [
    name,
    decided(
      `m:${name}`,
      each(others, (one) => one[name]),
      pick,
    ),
  ]);
  const quotas = listOf(
    "c:",
    each(versions, (one) => one.quotas ?? []),
    pick,
  );
  const assignments = listOf(
    "a:",
    each(versions, (one) => one.assignments ?? []),
    pick,
  );
  return {
    ...Object.fromEntries(members.filter(([, value]) => value !== undefined)),
    ...(quotas.length && { quotas }),
    ...(assignments.length && { assignments }),
    pages: listOf(
      "p:",
      each(versions, (one) => one.pages),
      pick,
      pageOf,
    ),
  } as Content;
}

/** A page that all have: itself, and its questions one by one. */
function pageOf(key: string, versions: Each<Page>, pick: Pick): Page {
  const own = each(versions, ({ questions: _, ...rest }) => rest);
  const questions = listOf(
    "q:",
    each(versions, (page) => page.questions),
    pick,
  );
  return { ...decided(key, own, pick)!, questions };
}

function decided<Value>(key: string, versions: Each<Value>, pick: Pick): Value {
  const { base, ours, theirs } = versions;
  if (isEqual(ours, theirs)) return isEqual(ours, base) ? base : versions[pick(key, "ours")];
  const by = isEqual(ours, base) ? "theirs" : isEqual(theirs, base) ? "ours" : "both";
  return versions[pick(key, by)];
}

/** A list whose elements have ids. @param inner takes one apart that all have. Missing: it is a piece as a whole */
function listOf<Item extends { id: string }>(
  kind: string,
  lists: Each<readonly Item[]>,
  pick: Pick,
  inner: (key: string, versions: Each<Item>, pick: Pick) => Item = decided,
): Item[] {
  const byId = each(lists, (list) => new Map(list.map((item) => [item.id, item])));
  return orderOf(each(lists, (list) => list.map(({ id }) => id))).flatMap((id) => {
    const versions = each(byId, (items) => items.get(id));
    const key = `${kind}${id}`;
    const { base, ours, theirs } = versions;
    if (base && ours && theirs) return [inner(key, { base, ours, theirs }, pick)];
    return decided(key, versions, pick) ?? [];
  });
}

/** The ids that are there, in our order where we have changed it, otherwise in theirs. What only the other one has comes after what it follows there. */
function orderOf({ base, ours, theirs }: Each<readonly string[]>): string[] {
  const known = new Set(base);
  const kept = new Set(ours);
  const isMoved = !isEqual(
    ours.filter((id) => known.has(id)),
    base.filter((id) => kept.has(id)),
  );
  const [first, second] = isMoved ? [ours, theirs] : [theirs, ours];
  const order = [...first];
  for (const [index, id] of second.entries()) {
    if (order.includes(id)) continue;
    order.splice(order.indexOf(second[index - 1] ?? "") + 1, 0, id);
  }
  return order;
}
