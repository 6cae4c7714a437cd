// The page with a user's own sessions.

import type { VNode } from "preact";
import { clean } from "../../text.ts";
import type { SessionRow } from "../../workspaces/console-users.ts";
import { renderPage, type SignedIn, Time, Token } from "./layout.tsx";

export interface SessionsView {
  sessions: SessionRow[];
  /** The id of the session that asks. */
  own: string;
  token: string;
}

export function renderSessions(base: string, signedIn: SignedIn, { sessions, own, token }: SessionsView): string {
  return renderPage(
    { base, title: "Your sessions", signedIn, at: "/console/sessions" },
    <>
      <h1>Your sessions</h1>
      <p class="note">
        Where you are signed in. If you don’t know one of them, end it, and ask for a link to choose another password.
      </p>
      <ul class="cards">
        {sessions.map((session) => (
          <Card key={session.uid} base={base} token={token} session={session} isOwn={session.uid === own} />
        ))}
      </ul>
    </>,
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
      <h2>{isOwn ? "This browser" : "Another browser"}</h2>
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
