// The page with what was written to people of a study, and the form of a new message.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { Mailing, MailTest } from "../../client/types.ts";
import { FaultSummary } from "../shell/fields.tsx";
import { ApiCall, Pages } from "../shell/layout.tsx";
import type { Order } from "../shell/newest.ts";
import { withSort } from "../shell/table.tsx";
import { Done, renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";
import { ComposeForm } from "./compose-form.tsx";
import type { FormView } from "./form-view.ts";
import { Mailings } from "./mailings-table.tsx";

/** A message as one person gets it. */
export interface Preview {
  language: string;
  subject: string;
  text: string;
  /** The session whose answers it has. */
  screenerSessionId: string | null;
}

interface MessagesView {
  mailings: readonly Mailing[];
  total: number;
  limit: number;
  offset: number;
  order: Order;
  /** The form. Undefined: the service can't send mail. */
  form: FormView | undefined;
  preview?: Preview;
  tested?: MailTest;
  curl: string;
}

export function renderMessages(frame: StudyFrame, view: MessagesView): string {
  const { mailings, total, limit, offset, order, form, preview, tested, curl } = view;
  const { faults = {}, labels = {} } = form ?? {};
  const path = `${frame.base}/console/studies/${frame.id}/messages`;
  return renderStudyPage(
    frame,
    { at: "/messages", heading: "Messages", hasFaults: Object.keys(faults).length > 0 },
    <>
      <FaultSummary faults={faults} labels={labels} />
      {form ? (
        <section aria-labelledby="new">
          <h2 id="new">Write a message</h2>
          {tested && <Tested result={tested} />}
          {preview && <Shown preview={preview} answers={`${frame.base}/console/studies/${frame.id}/answers`} />}
          <ComposeForm frame={frame} path={path} view={form} />
        </section>
      ) : (
        <p class="notice">
          The service can’t send mail yet. The page <a href={`${frame.base}/console/mail`}>Mail</a> says how to set it
          up.
        </p>
      )}
      <section class="apart" aria-labelledby="written">
        <h2 id="written">What was written</h2>
        {total === 0 && <p class="note">Nothing yet.</p>}
        {mailings.length > 0 && <Mailings base={frame.base} {...{ path, order, mailings }} />}
        <Pages path={withSort(path, order.kept)} total={total} limit={limit} offset={offset} />
      </section>
      <ApiCall curl={curl} />
    </>,
  );
}

/** @param answers the path of the table of answers */
function Shown({ preview, answers }: { preview: Preview; answers: string }): VNode {
  const { language, subject, text, screenerSessionId: session } = preview;
  return (
    <section class="card" aria-labelledby="preview">
      <h3 id="preview">As that person gets it</h3>
      <p class="strong" dir="auto" lang={language}>
        {clean(subject)}
      </p>
      <pre class="wrapped" dir="auto" lang={language}>
        {clean(text)}
      </pre>
      {session !== null && (
        <p class="note">
          With <a href={`${answers}/${session}`}>that person’s answers</a> as they are now. A message has those of the
          moment at which it is sent.
        </p>
      )}
    </section>
  );
}

function Tested({ result: { status, reply } }: { result: MailTest }): VNode {
  if (status === "SENT") return <Done>Sent. The relay said: {clean(reply)}</Done>;
  return (
    <p class="warning" role="status">
      It was not sent. {clean(reply)}
    </p>
  );
}
