// The page of an invitation for somebody who has an account here already.

import { clean } from "../../base/clean-text.ts";
import { renderPage, Token } from "../shell/layout.tsx";
import { Field } from "./pages.tsx";

interface JoinProps {
  base: string;
  token: string;
  secret: string;
  workspaceName: string;
  /** null: typed in. */
  email: string | null;
  typed: string;
  fault: string | undefined;
  /** How somebody signs in whose account has no password; undefined: it has one. */
  provider: string | undefined;
}

export function renderJoin({ base, token, secret, workspaceName, email, typed, fault, provider }: JoinProps): string {
  return renderPage(
    { base, title: fault === undefined ? "Join a workspace" : "Error – Join a workspace" },
    <>
      <h1>Join a workspace</h1>
      <p>
        You are invited to the workspace <bdi class="strong">{clean(workspaceName)}</bdi>, and have an account here
        already. It stays one account, with the same way to sign in.
      </p>
      {fault !== undefined && (
        <p class="summary" role="alert">
          {fault}
        </p>
      )}
      {provider === undefined ? (
        <form method="post" action={`${base}/console/sign-in/${secret}/join`} novalidate>
          <Token value={token} />
          {email === null ? (
            <Field name="email" label="Your email" type="email" autocomplete="username" value={typed} />
          ) : (
            <Field name="email" label="Your email" type="email" autocomplete="username" value={email} isFixed />
          )}
          <Field name="password" label="Password of your account" type="password" autocomplete="current-password" />
          <Field
            name="code"
            label="Code, if you have two-factor sign-in"
            type="text"
            autocomplete="one-time-code"
            hint="The six digits that your authenticator app shows now, or a recovery code. Else leave it empty."
          />
          <button class="button" type="submit">
            Join, and sign in
          </button>
        </form>
      ) : (
        <p>
          Your account has no password. <a href={`${base}/console/sign-in`}>Sign in with {clean(provider)}</a>: the
          workspace is among yours then.
        </p>
      )}
      <p class="note">Have you lost the password? The people who run the service can send you a link.</p>
    </>,
  );
}
