// The page with what was written to people of any study.

import type { Reply } from "../../http/wire/reply.ts";
import { ApiCall, Pages, renderPage } from "../shell/layout.tsx";
import { byTime } from "../shell/newest.ts";
import { page, signedIn, type VisitorRequest } from "../shell/request.ts";
import { withSort } from "../shell/table.tsx";
import { Mailings } from "./mailings-table.tsx";

const AT = "/console/messages";
const MAILINGS_PER_PAGE = 20;

/** GET of the page. */
export async function showAllMessages(request: VisitorRequest): Promise<Reply> {
  const { base, calls, query } = request;
  const list = { query, limit: MAILINGS_PER_PAGE };
  const found = await byTime((sent) => calls.get("listMailings", { query: sent }), "", list);
  const { items, order, total, limit, offset } = found;
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
      {items.length > 0 && <Mailings {...{ base, order, titles }} path={base + AT} mailings={items} />}
      <Pages path={withSort(base + AT, order.kept)} {...{ total, limit, offset }} />
      <ApiCall curl={calls.curl("listMailings", { query: found.query })} />
    </>,
  );
  return page(200, html);
}
