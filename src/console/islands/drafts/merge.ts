// Brings two versions of a draft together that began with the same one: what only one of them has changed is taken from there. Pages,
// questions, quotas and assignments are pieces of their own, and so are their orders, the page of a question, and each other member of the
// content.

import type { Content, Page } from "../../../nouns/content/content.ts";
import { onOnePage } from "./on-one-page.ts";
import { type Each, type Pick, type Side, sideOf } from "./sides.ts";

/** How keys of orders begin. After it comes the kind of list, or the id of the page whose questions it is about. */
export const ORDER = "o:";

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

function assembled(drafts: Each<Content>, pick: Pick): Content {
  const versions = onOnePage(drafts, pick);
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
    decided,
    `${ORDER}${key.slice(2)}`,
  );
  return { ...decided(key, own, pick)!, questions };
}

function decided<Value>(key: string, versions: Each<Value>, pick: Pick): Value {
  return versions[sideOf(key, versions, pick)];
}

/** A list whose elements have ids. @param inner takes one apart that all have. Missing: it is a piece as a whole @param order the key of its order */
function listOf<Item extends { id: string }>(
  kind: string,
  lists: Each<readonly Item[]>,
  pick: Pick,
  inner: (key: string, versions: Each<Item>, pick: Pick) => Item = decided,
  order = `${ORDER}${kind}`,
): Item[] {
  const byId = each(lists, (list) => new Map(list.map((item) => [item.id, item])));
  const ids = each(lists, (list) => list.map(({ id }) => id));
  return orderOf(order, ids, pick).flatMap((id) => {
    const versions = each(byId, (items) => items.get(id));
    const key = `${kind}${id}`;
    const { base, ours, theirs } = versions;
    if (base && ours && theirs) return [inner(key, { base, ours, theirs }, pick)];
    return decided(key, versions, pick) ?? [];
  });
}

/** The ids that are there: those that all have in the order that is taken, each other one after what it follows in its version. */
function orderOf(key: string, lists: Each<readonly string[]>, pick: Pick): string[] {
  const shared = new Set(lists.base.filter((id) => lists.ours.includes(id) && lists.theirs.includes(id)));
  const orders = each(lists, (list) => list.filter((id) => shared.has(id)));
  const order = [...decided(key, orders, pick)];
  for (const list of [lists.theirs, lists.ours])
    for (const [index, id] of list.entries())
      if (!order.includes(id)) order.splice(order.indexOf(list[index - 1] ?? "") + 1, 0, id);
  return order;
}
