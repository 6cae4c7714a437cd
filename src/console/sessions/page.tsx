// The page of a user's own account.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { NoticeKind } from "../../events/notices.ts";
import type { SessionRow } from "../../workspaces/console-sessions.ts";
import { renderPage, type SignedIn, Time, Token } from "../shell/layout.tsx";
import { Field, NewPasswordFields } from "../sign-in/pages.tsx";

/** What is wrong with the form of a new password, by its fields. */
export type PasswordFaults = { old?: string; password?: string; again?: string };

/** What the user may be mailed about. */
interface NoticesView {
  /** Undefined: the service sends no mail. */
  email: string | undefined;
  offered: readonly NoticeKind[];
  chosen: readonly NoticeKind[];
  isSaved: boolean;
}

interface SessionsView {
  notices: NoticesView;
  sessions: SessionRow[];
  /** The id of the session that asks. */
  own: string;
  token: string;
  hasPassword: boolean;
  /** Whether the password was changed just now. */
  isChanged: boolean;
  faults: PasswordFaults;
}

export function renderSessions(base: string, signedIn: SignedIn, view: SessionsView): string {
  const { sessions, own, token, hasPassword, isChanged, faults } = view;
  const hasFaults = Object.keys(faults).length > 0;
  return renderPage(
    {
      base,
      title: hasFaults ? "Error – Your account" : "Your account",
      signedIn,
      at: "/console/sessions",
    },
    <>
      {hasFaults && (
        <p class="summary" role="alert">
          The password is not changed. See below what needs fixing.
        </p>
      )}
      {isChanged && !hasFaults && (
        <p class="done" role="status">
          Your password is changed, and all other sessions have ended.
        </p>
      )}
      <h1>Your account</h1>
      <p>
        <a href={`${base}/console/two-factor`}>Two-factor sign-in</a>
      </p>
      <Notices base={base} token={token} notices={view.notices} workspaceName={signedIn.workspaceName} />
      <h2>Where you are signed in</h2>
      <p class="note">If you don’t know one of them, end it, and change your password.</p>
      <ul class="cards">
        {sessions.map((session) => (
          <Card key={session.uid} base={base} token={token} session={session} isOwn={session.uid === own} />
        ))}
      </ul>
      {hasPassword ? (
        <NewPassword base={base} token={token} faults={faults} />
      ) : (
        <p class="note">
          You have no password, because you sign in another way. An admin can give you a link to choose one.
        </p>
      )}
    </>,
  );
}

const NOTICE_LABELS: Record<NoticeKind, string> = {
  STUDY_FULL: "A study is full",
  IMPORT_WAITS: "An import needs approval",
  WEBHOOK_FAILS: "A webhook fails",
};

interface NoticesProps {
  base: string;
  token: string;
  notices: NoticesView;
  workspaceName: string;
}

function Notices({ base, token, notices: { email, offered, chosen, isSaved }, workspaceName }: NoticesProps): VNode {
  return (
    <section class="card apart">
      <h2>Emails to you</h2>
      {email === undefined ? (
        <p class="note">This service sends no email, so it can’t tell you of anything: SMTP_URL is not set.</p>
      ) : (
        <form method="post" action={`${base}/console/sessions/notices`}>
          <Token value={token} />
          {isSaved && (
            <p class="done" role="status">
              Saved
            </p>
          )}
          <fieldset class="choices">
            <legend>
              Email {clean(email)} about <bdi>{clean(workspaceName)}</bdi> when
            </legend>
            {offered.map((kind) => (
              <div class="choice" key={kind}>
                <input type="checkbox" id={kind} name={kind} value="1" checked={chosen.includes(kind)} />
                <label for={kind}>{NOTICE_LABELS[kind]}</label>
              </div>
            ))}
          </fieldset>
          <p class="note">One email each time: no other about the same study or webhook until something has changed.</p>
          <button class="button" type="submit">
            Save
          </button>
        </form>
      )}
    </section>
  );
}

function NewPassword({ base, token, faults }: { base: string; token: string; faults: PasswordFaults }): VNode {
  return (
    <section class="card apart">
      <h2>Change your password</h2>
      <p class="note">All other sessions will end.</p>
      <form method="post" action={`${base}/console/sessions/password`} novalidate>
        <Token value={token} />
        <Field name="old" label="Old password" type="password" autocomplete="current-password" fault={faults.old} />
        <NewPasswordFields label="New password" faults={faults} />
        <button class="button" type="submit">
          Change it
        </button>
      </form>
    </section>
  );
}

interface CardProps {
  base: string;
  token: string;
  session: SessionRow;
  isOwn: boolean;
}

function Card({ base, token, session: { uid, browser, created_at, last_used_at }, isOwn }: CardProps): VNode {
  return (
    <li class="card">
      <h3>{isOwn ? "This browser" : "Another browser"}</h3>
      <p>{browser ? clean(browser) : "It does not say what it is."}</p>
      <p class="note">
        Signed in <Time at={created_at} />, last used <Time at={last_used_at} />
      </p>
      {!isOwn && (
        <form method="post" action={`${base}/console/sessions/${uid}/end`}>
          <Token value={token} />
          <button class="button button-quiet" type="submit" aria-label={`End the session of ${clean(browser)}`}>
            End it
          </button>
        </form>
      )}
    </li>
  );
}
