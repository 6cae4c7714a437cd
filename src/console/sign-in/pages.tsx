// Pages of those who have not signed in: the sign-in, and the choice of a password.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import { renderPage, Token } from "../shell/layout.tsx";
import { MIN_PASSWORD_CHARACTERS } from "../shell/passwords.ts";

interface FormProps {
  base: string;
  token: string;
}

/** What is wrong with each field, by its name. */
export type Faults = Record<string, string>;

export function renderSignIn({
  base,
  token,
  next,
  email,
  fault,
  provider,
}: FormProps & {
  next: string;
  email: string;
  fault: string | undefined;
  /** What people call the OpenID provider. */
  provider: string | undefined;
}): string {
  return renderPage(
    { base, title: fault === undefined ? "Sign in" : "Error – Sign in" },
    <>
      <h1>Sign in</h1>
      {fault !== undefined && (
        <p class="summary" role="alert">
          {fault}
        </p>
      )}
      {provider !== undefined && (
        <>
          <p>
            <a class="button" href={`${base}/console/sign-in/oidc?next=${encodeURIComponent(next)}`}>
              Sign in with {clean(provider)}
            </a>
          </p>
          <h2 class="apart">Or with a password</h2>
        </>
      )}
      <form method="post" action={`${base}/console/sign-in`} novalidate>
        <Token value={token} />
        <input type="hidden" name="next" value={next} />
        <Field name="email" label="Email" type="email" autocomplete="username" value={email} />
        <Field name="password" label="Password" type="password" autocomplete="current-password" />
        <button class="button" type="submit">
          Sign in
        </button>
      </form>
      <p class="note">No account yet, or the password is lost? The people who run the service can send you a link.</p>
    </>,
  );
}

interface ChoiceProps extends FormProps {
  secret: string;
  workspaceName: string;
  /** null: the owner chooses name and email, too. */
  email: string | null;
  typed: { name: string; email: string };
  faults: Faults;
}

export function renderChoice({ base, token, secret, workspaceName, email, typed, faults }: ChoiceProps): string {
  const hasFaults = Object.keys(faults).length > 0;
  return renderPage(
    { base, title: hasFaults ? "Error – Choose a password" : "Choose a password" },
    <>
      <h1>Choose a password</h1>
      <p>
        You will sign in to the workspace <bdi class="strong">{clean(workspaceName)}</bdi> with it.
      </p>
      {hasFaults && (
        <p class="summary" role="alert">
          Nothing is saved yet. See below what needs fixing.
        </p>
      )}
      <form method="post" action={`${base}/console/sign-in/${secret}`} novalidate>
        <Token value={token} />
        {email === null ? (
          <>
            <Field
              name="name"
              label="Your name"
              type="text"
              autocomplete="name"
              value={typed.name}
              fault={faults.name}
            />
            <Field
              name="email"
              label="Your email"
              type="email"
              autocomplete="username"
              value={typed.email}
              fault={faults.email}
            />
          </>
        ) : (
          <Field name="email" label="Your email" type="email" autocomplete="username" value={email} isFixed />
        )}
        <NewPasswordFields label="Password" faults={faults} />
        <button class="button" type="submit">
          Save, and sign in
        </button>
      </form>
      {email === null && (
        <p class="apart">
          <a class="button button-quiet" href={`${base}/console/sign-in/${secret}/join`}>
            I have an account here already
          </a>
        </p>
      )}
    </>,
  );
}

/** A new password, twice. */
export function NewPasswordFields(props: { label: string; faults: { password?: string; again?: string } }): VNode {
  const { label, faults } = props;
  return (
    <>
      <Field
        name="password"
        label={label}
        type="password"
        autocomplete="new-password"
        hint={`At least ${MIN_PASSWORD_CHARACTERS} characters. A few words are easier to remember than symbols.`}
        fault={faults.password}
      />
      <Field
        name="again"
        label="The same password again"
        type="password"
        autocomplete="new-password"
        fault={faults.again}
      />
    </>
  );
}

interface FieldProps {
  name: string;
  label: string;
  type: "text" | "email" | "password";
  autocomplete: string;
  value?: string;
  hint?: string;
  fault?: string | undefined;
  isFixed?: true;
}

export function Field({ name, label, type, autocomplete, value, hint, fault, isFixed }: FieldProps): VNode {
  const described = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(" ");
  const own = {
    class: "entry",
    id: name,
    name,
    value: value && clean(value),
    autocomplete,
    autocapitalize: "none" as const,
    spellcheck: false,
    readOnly: isFixed ?? false,
    "aria-invalid": fault ? ("true" as const) : undefined,
    "aria-describedby": described || undefined,
  };
  return (
    <div class={fault ? "field field-wrong" : "field"}>
      <label for={name}>{label}</label>
      {hint && (
        <p class="note" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {fault && (
        <p class="error" id={`${name}-fault`}>
          {fault}
        </p>
      )}
      {type === "password" && <input type="password" {...own} />}
      {type === "email" && <input type="email" {...own} />}
      {type === "text" && <input type="text" {...own} />}
    </div>
  );
}
