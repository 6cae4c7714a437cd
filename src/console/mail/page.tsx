// The page about mail.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { MailSettings, MailTest } from "../../client/types.ts";
import { counted, shown } from "../../languages/counted.ts";
import type { Faults } from "../shell/faults.ts";
import { FaultSummary, fieldsOf, TextField } from "../shell/fields.tsx";
import { ApiCall, Copyable, Figure, renderPage, type SignedIn, Token } from "../shell/layout.tsx";

interface MailView {
  settings: MailSettings;
  to: string;
  faults: Faults;
  /** The contact cap, as it was typed. */
  cap: { messages: string; days: string };
  /** Of a test that was sent just now. */
  result: MailTest | undefined;
  curl: string;
}

const LABELS = { to: "Address", messages: "Messages", days: "Days", contactCap: "Messages and days" };

const AT = "/console/mail";

export function renderMail(base: string, signedIn: SignedIn, view: MailView): string {
  const { settings, faults, result, curl } = view;
  const title = Object.keys(faults).length ? "Error – Mail" : "Mail";
  return renderPage(
    { base, title, signedIn, at: AT },
    <>
      <FaultSummary faults={faults} labels={LABELS} />
      <h1>Mail</h1>
      {result && <Result result={result} />}
      {settings.isConfigured ? <Configured base={base} token={signedIn.token} view={view} /> : <Missing />}
      <Cap base={base} token={signedIn.token} view={view} />
      <ApiCall curl={curl} />
    </>,
  );
}

/** How many messages somebody gets. */
function Cap({ base, token, view: { settings, cap, faults } }: { base: string; token: string; view: MailView }): VNode {
  const field = fieldsOf(LABELS, cap, faults);
  const { contactCap } = settings;
  return (
    <section class="apart" aria-labelledby="cap">
      <h2 id="cap">Not too often</h2>
      <p>
        {contactCap
          ? `A person gets at most ${counted(contactCap.messages, "message of a mailing", "messages of mailings")} within ${counted(contactCap.days, "day", "days")}, over all studies.`
          : "A person may get any number of messages of mailings."}{" "}
        What people ask for themselves, such as their link, does not count.
      </p>
      <form class="card" method="post" action={`${base}${AT}/cap`} novalidate>
        <Token value={token} />
        <TextField {...field("messages")} hint="Leave both empty for no limit." />
        <TextField {...field("days")} />
        <button class="button button-quiet" type="submit">
          Save
        </button>
      </form>
    </section>
  );
}

const WORDS: Record<MailTest["status"], string> = {
  SENT: "The relay has taken the test. Check whether it arrives, and in which folder.",
  DEFERRED: "The relay has not taken the test. It may take it later; nothing is sent again by itself.",
  FAILED: "The relay refuses the test.",
  UNCERTAIN: "Nobody knows whether the relay has taken the test: the connection ended before it said so.",
};

function Result({ result: { status, reply } }: { result: MailTest }): VNode {
  return (
    <div class={status === "SENT" ? "done" : "notice"} role="status">
      <p>{WORDS[status]}</p>
      <p>
        <bdi>{clean(reply)}</bdi>
      </p>
    </div>
  );
}

function Configured({ base, token, view }: { base: string; token: string; view: MailView }): VNode {
  const { settings, to, faults } = view;
  const field = fieldsOf(LABELS, { to }, faults);
  return (
    <>
      <p class="note">The operator of the service sets this, for all workspaces.</p>
      <dl class="figures">
        <Figure name="From" value={clean(settings.from ?? "")} />
        {settings.replyTo !== null && <Figure name="Answers go to" value={clean(settings.replyTo)} />}
        <Figure name="Relay" value={settings.relay ?? ""} />
        <Figure name="At most, in a minute" value={shown(settings.perMinute ?? 0)} />
        <Figure name="Signed by the service (DKIM)" value={settings.dkimDomain ?? "no"} />
      </dl>
      <section class="apart" aria-labelledby="test">
        <h2 id="test">Send a test</h2>
        <form class="card" method="post" action={base + AT} novalidate>
          <Token value={token} />
          <TextField {...field("to")} hint="One message goes there, at once." />
          <button class="button" type="submit">
            Send a test
          </button>
        </form>
      </section>
    </>
  );
}

const EXAMPLE = `SMTP_URL=smtps://user:password@mail.example.org
MAIL_FROM=Sleep lab <studies@example.org>`;

function Missing(): VNode {
  return (
    <>
      <p class="notice">The service can’t send mail yet. Everything else works without.</p>
      <p>
        Its operator sets two variables in its environment, and starts it again: the relay that takes its mail, and from
        whom it is. In a user or a password, signs such as @ and / are written as %40 and %2F.
      </p>
      <p>
        <Copyable text={EXAMPLE} what="the variables" />
      </p>
      <p>Then this page sends a test.</p>
    </>
  );
}
