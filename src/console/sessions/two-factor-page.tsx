// The page with a user's two-factor sign-in.

import type { VNode } from "preact";
import { Copyable, renderPage, type SignedIn, Token } from "../shell/layout.tsx";
import { Field } from "../sign-in/pages.tsx";

interface TwoFactorView {
  token: string;
  /** The secret for an app that is set up now, and the picture that it scans. */
  secret: string;
  picture: string;
  isOn: boolean;
  isRequired: boolean;
  /** How many are left. */
  recoveryCodes: number;
  hasPassword: boolean;
  faults: { password?: string; code?: string };
}

const AT = "/console/two-factor";

export function renderTwoFactor(base: string, signedIn: SignedIn, view: TwoFactorView): string {
  const hasFaults = Object.keys(view.faults).length > 0;
  return renderPage(
    { base, title: hasFaults ? "Error – Two-factor sign-in" : "Two-factor sign-in", signedIn, at: AT },
    <>
      {hasFaults && (
        <p class="summary" role="alert">
          Nothing is changed. See below what needs fixing.
        </p>
      )}
      <h1>Two-factor sign-in</h1>
      <p>After your password, you are asked for a code that an app on your phone shows. Each time it is another one.</p>
      {!view.isOn && view.isRequired && (
        <p class="done" role="status">
          A workspace that you work in requires it. Set it up to go on.
        </p>
      )}
      {view.isOn ? <Removal base={base} view={view} /> : <SetUp base={base} view={view} />}
    </>,
  );
}

function SetUp({ base, view }: { base: string; view: TwoFactorView }): VNode {
  const { token, secret, picture, hasPassword, faults } = view;
  if (!hasPassword) return <p class="note">You do not sign in with a password here. Set it up where you sign in.</p>;
  return (
    <form method="post" action={base + AT} novalidate>
      <Token value={token} />
      <input type="hidden" name="secret" value={secret} />
      <p>Scan this picture with an authenticator app:</p>
      <p>
        <img class="code" src={picture} width="232" height="232" alt="QR code for the authenticator app" />
      </p>
      <p class="note">If the app can’t scan it, type this in:</p>
      <p>
        <Copyable text={secret} what="the secret" />
      </p>
      <Field
        name="code"
        label="Code"
        type="text"
        autocomplete="one-time-code"
        hint="The six digits that the app shows now."
        fault={faults.code}
      />
      <Field
        name="password"
        label="Your password"
        type="password"
        autocomplete="current-password"
        fault={faults.password}
      />
      <p class="note">All other sessions will end.</p>
      <button class="button" type="submit">
        Set it up
      </button>
    </form>
  );
}

function Removal({ base, view }: { base: string; view: TwoFactorView }): VNode {
  const { token, isRequired, recoveryCodes, faults } = view;
  return (
    <>
      <p>
        It is set up. Recovery codes that are left: <strong>{recoveryCodes}</strong>.
      </p>
      {isRequired ? (
        <p class="note">A workspace that you work in requires it, so you can’t turn it off.</p>
      ) : (
        <form method="post" action={`${base}${AT}/removal`} novalidate>
          <Token value={token} />
          <Field
            name="code"
            label="Code"
            type="text"
            autocomplete="one-time-code"
            hint="From the app, or a recovery code."
            fault={faults.code}
          />
          <button class="button button-quiet" type="submit">
            Turn it off
          </button>
        </form>
      )}
      <p class="note">For another phone, or for new recovery codes: turn it off, and set it up again.</p>
    </>
  );
}

/** The recovery codes. They are shown once. */
export function renderCodes(base: string, signedIn: SignedIn, codes: readonly string[]): string {
  return renderPage(
    { base, title: "Your recovery codes", signedIn, at: AT },
    <>
      <h1>Your recovery codes</h1>
      <p class="done" role="status">
        Two-factor sign-in is set up, and all other sessions have ended.
      </p>
      <p>
        Keep these codes where you find them without your phone. Each signs you in once instead of a code of the app.
        They are shown only here:
      </p>
      <ul>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p>
        <a class="button" href={`${base}/console/studies`}>
          I have kept them
        </a>
      </p>
    </>,
  );
}
