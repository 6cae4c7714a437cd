// The page with what was written to people of any study, the newest first.

import { clean } from "../../base/clean-text.ts";
import type { Mailing } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { shown } from "../shell/job-words.ts";
import { ApiCall, Pages, renderPage, Time } from "../shell/layout.tsx";
import { KINDS, STATUSES } from "../shell/mailing-words.ts";
import { newestOf } from "../shell/newest.ts";
import { offsetOf, page, signedIn, type VisitorRequest } from "../shell/request.ts";
import { Table } from "../shell/table.tsx";

const AT = "/console/messages";
const MAILINGS_PER_PAGE = 20;

/** GET of the page. */
export async function showAllMessages(request: VisitorRequest): Promise<Reply> {
  const { base, calls, query } = request;
  const limits = { limit: MAILINGS_PER_PAGE, offset: offsetOf(query) };
  const {
    items,
    total,
    query: sent,
  } = await newestOf((sent) => calls.get("listMailings", { query: sent }), "", limits);
  const titles = new Map<string, string>();
  for (const { screenerId: id } of items)
    if (!titles.has(id)) titles.set(id, (await calls.get("getScreener", { id })).title ?? "Without a title");
  const html = renderPage(
    { base, title: "Messages", signedIn: signedIn(request), at: AT },
    <>
      <h1>Messages</h1>
      <p class="note">To write one, open a study, and its page “Messages”.</p>
      {total === 0 && (
        <p>
          Nothing was written yet. <a href={`${base}/console/studies`}>Choose a study</a>
        </p>
      )}
      {items.length > 0 && (
        <Table columns={["Name", "Study", "Kind", "State", "Sent", "Made"]}>
          {items.map((mailing) => (
            <Row key={mailing.id} base={base} mailing={mailing} study={titles.get(mailing.screenerId)!} />
          ))}
        </Table>
      )}
      <Pages path={base + AT} total={total} {...limits} />
      <ApiCall curl={calls.curl("listMailings", { query: sent })} />
    </>,
  );
  return page(200, html);
}

function Row({ base, mailing, study }: { base: string; mailing: Mailing; study: string }) {
  const { id, name, screenerId, kind, status, messages, createdAt } = mailing;
  const [word, look] = STATUSES[status];
  const path = `${base}/console/studies/${screenerId}/messages`;
  return (
    <tr>
      <td data-label="Name">
        <a href={`${path}/${id}`}>
          <bdi>{clean(name)}</bdi>
        </a>
      </td>
      <td data-label="Study">
        <a href={path}>
          <bdi>{clean(study)}</bdi>
        </a>
      </td>
      <td data-label="Kind">{KINDS[kind]}</td>
      <td data-label="State">
        <span class={`state state-${look}`}>{word}</span>
      </td>
      <td data-label="Sent">{shown(messages.SENT!)}</td>
      <td data-label="Made">
        <Time at={createdAt!} />
      </td>
    </tr>
  );
}
