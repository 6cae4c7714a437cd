// /mail-suppressions: addresses that are not written to.

import { type AnyEndpoint, created, defineEndpoint, ok } from "../../http/endpoint.ts";
import { defineList } from "../../http/lists.ts";
import { defineRead } from "../../http/reads.ts";
import { writeOnce } from "../../writes/write-once.ts";
import { deleteSuppression, getSuppression, suppress } from "./queries.ts";
import { mailSuppression, NewMailSuppression, suppressionList } from "./resource.ts";

const tag = "Participants";

const list = defineList(suppressionList, {
  path: "/mail-suppressions",
  operationId: "listMailSuppressions",
  tag,
  summary: "List addresses that are not written to",
  downloads: "MAIL_SUPPRESSIONS",
  description:
    "`address` is null where whoever had it is erased, or it was typed for one message: then its keyed hash alone is kept. `filter[address]` finds " +
    "those, too; upper and lower case of ASCII letters are the same.",
});

const read = defineRead(mailSuppression, {
  path: "/mail-suppressions/:id",
  operationId: "getMailSuppression",
  tag,
  summary: "Get an address that is not written to",
  reply: "The address, and why",
  unknown: "mail_suppression_not_found",
});

const create = defineEndpoint({
  method: "post",
  path: "/mail-suppressions",
  operationId: "createMailSuppression",
  scopes: ["import"],
  tag,
  summary: "Have an address not written to",
  description:
    "Such as one that another system knows to be wrong (`BOUNCED`), or whose owner has called our mail unwanted (`COMPLAINED`). An address that is " +
    "suppressed already stays as it is: 200.",
  body: NewMailSuppression,
  replies: {
    200: { description: "What there was already", schema: mailSuppression.schema },
    201: {
      description: "From now on it is not written to",
      schema: mailSuppression.schema,
      headers: { Location: "Its path" },
    },
  },
  examples: { byHand: { status: 201, body: { address: "gone@example.org" }, reply: mailSuppression.example } },
  problems: [],
  handle(request) {
    const { body, principal } = request;
    return writeOnce(request, (db, record) => {
      const { uid, isNew } = suppress(db, { ...body, by: principal.actor, isHidden: false }, record);
      const json = mailSuppression.find(db, uid)!;
      return isNew ? created(json, `/mail-suppressions/${uid}`) : ok(json);
    });
  },
});

const remove = defineEndpoint({
  method: "delete",
  path: "/mail-suppressions/:id",
  operationId: "deleteMailSuppression",
  scopes: ["admin"],
  tag,
  summary: "Have an address written to again",
  description:
    "If it bounces again, it is suppressed again. Who complained or has unsubscribed must have agreed to be written to.",
  replies: { 200: { description: "What it was", schema: mailSuppression.schema } },
  examples: { deleted: { reply: mailSuppression.example } },
  problems: ["mail_suppression_not_found"],
  handle(request) {
    const { params } = request;
    return writeOnce(request, (db, record) => {
      const row = getSuppression(db, params.id!);
      const json = mailSuppression.find(db, row.uid)!;
      deleteSuppression(db, row, record);
      return ok(json);
    });
  },
});

export const mailSuppressionRoutes: AnyEndpoint[] = [list, read, create, remove];
