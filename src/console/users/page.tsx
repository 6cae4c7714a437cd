// The page with the users of a workspace.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import { counted } from "../../languages/counted.ts";
import { signInOf, type UserRow } from "../../workspaces/lives.ts";
import { ROLES } from "../../workspaces/rights.ts";
import type { Faults } from "../shell/faults.ts";
import { Choices, FaultSummary, fieldsOf, TextField } from "../shell/fields.tsx";
import { Copyable, renderPage, type SignedIn, Token } from "../shell/layout.tsx";

/** A user, as typed. */
export interface TypedUser {
  name: string;
  email: string;
  role: string;
}

/** A link that was made just now: it is shown once, or was mailed. */
export type Made =
  | { name: string; link: string /** Why it was not mailed; missing: nothing is. */; notSent?: string }
  | { name: string; sentTo: string };

interface UsersView {
  users: UserRow[];
  /** The id of the user who sees the page. */
  own: string;
  typed: TypedUser;
  faults: Faults;
  made: Made | undefined;
  /** Whether all users of the workspace must have two-factor sign-in. */
  requiresTwoFactor: boolean;
  /** Whether invitations are mailed. */
  hasMail: boolean;
}

const LABELS = { name: "Name", email: "Email", role: "Role" };

export function renderUsers(base: string, signedIn: SignedIn, view: UsersView): string {
  const { users, own, typed, faults, made } = view;
  const field = fieldsOf(LABELS, typed, faults);
  return renderPage(
    {
      base,
      title: Object.keys(faults).length ? "Error – Users" : "Users",
      signedIn,
      at: "/console/users",
    },
    <>
      <FaultSummary faults={faults} labels={LABELS} />
      {made && <Link made={made} />}
      <h1>Users</h1>
      <ul class="cards">
        {users.map((user) => (
          <User
            key={user.uid}
            base={base}
            token={signedIn.token}
            user={user}
            isOwn={user.uid === own}
            isOutOfReach={user.is_operator === 1 && !signedIn.isOperator}
          />
        ))}
      </ul>
      <Requirement base={base} token={signedIn.token} isRequired={view.requiresTwoFactor} />
      <section class="card apart">
        <h2>Add a user</h2>
        <form method="post" action={`${base}/console/users`} novalidate>
          <Token value={signedIn.token} />
          <TextField {...field("name")} />
          <TextField
            {...field("email")}
            hint={
              view.hasMail
                ? "The user signs in with it, and gets an invitation there."
                : "The user signs in with it. No mail is sent: you get a link to pass on."
            }
          />
          <Choices
            {...field("role")}
            choices={[
              { value: "viewer", label: "Viewer", hint: "Sees everything, and changes nothing." },
              { value: "researcher", label: "Researcher", hint: "Makes studies, imports people, creates links." },
              { value: "admin", label: "Admin", hint: "Also erases people, and manages users and keys." },
            ]}
          />
          <button class="button" type="submit">
            Add the user
          </button>
        </form>
      </section>
    </>,
  );
}

function Requirement({ base, token, isRequired }: { base: string; token: string; isRequired: boolean }): VNode {
  return (
    <section class="card apart">
      <h2>Two-factor sign-in</h2>
      <p class="note">
        {isRequired
          ? "All users of this workspace must have it. People who have not set it up see only the page for that."
          : "Each user may set it up, under “Your account”."}{" "}
        People who sign in by single sign-on are not asked for a code.
      </p>
      <form method="post" action={`${base}/console/users/two-factor`}>
        <Token value={token} />
        <input type="hidden" name="required" value={isRequired ? "no" : "yes"} />
        <button class="button button-quiet" type="submit">
          {isRequired ? "Leave it to each user" : "Require it of all users"}
        </button>
      </form>
    </section>
  );
}

function Link({ made }: { made: Made }): VNode {
  const { name } = made;
  if ("sentTo" in made)
    return (
      <p class="done" role="status">
        An invitation for <bdi>{clean(name)}</bdi> was sent to {clean(made.sentTo)}. Its link works once, for three
        days.
      </p>
    );
  const { link, notSent } = made;
  return (
    <div class="done" role="status">
      {notSent !== undefined && <p>The invitation could not be mailed: {clean(notSent)}</p>}
      <p>
        Give this link to <bdi>{clean(name)}</bdi>. It works once, for{" "}
        {notSent === undefined ? "15 minutes" : "three days"}, and is shown only here:
      </p>
      <p>
        <Copyable text={link} what="the link" />
      </p>
    </div>
  );
}

interface UserProps {
  base: string;
  token: string;
  user: UserRow;
  isOwn: boolean;
  /** For an operator: only operators change one. */
  isOutOfReach: boolean;
}

function User({ base, token, user, isOwn, isOutOfReach }: UserProps): VNode {
  const { uid, name, email, role, disabled_at, is_operator, tokens, oidc_issuer, has_two_factor } = user;
  const act = (action: "link" | "disable" | "enable" | "untie" | "two-factor", label: string) => (
    <form method="post" action={`${base}/console/users/${uid}/${action}`}>
      <Token value={token} />
      <button class="button button-quiet" type="submit">
        {label}
        <span class="unseen"> – {clean(name)}</span>
      </button>
    </form>
  );
  return (
    <li class="card">
      <h2>
        <bdi>{clean(name)}</bdi>
        {isOwn && " (you)"}
      </h2>
      <p class="states">
        <span class="state">{role ?? "tokens alone"}</span>
        {is_operator === 1 && <span class="state">operator</span>}
        {disabled_at !== null && <span class="state state-failed">disabled</span>}
        {has_two_factor === 1 && <span class="state">two-factor</span>}
        {email !== null && <span>{clean(email)}</span>}
        <span>{counted(tokens, "live token", "live tokens")}</span>
      </p>
      {email !== null && <p class="note">Sign-in: {clean(signInOf(user))}</p>}
      {isOutOfReach && <p class="note">Only operators change this account.</p>}
      {!isOwn && !isOutOfReach && role !== null && (
        <form class="inline" method="post" action={`${base}/console/users/${uid}/role`}>
          <Token value={token} />
          <label for={`role-${uid}`}>
            Role<span class="unseen"> of {clean(name)}</span>
          </label>
          <select class="entry" id={`role-${uid}`} name="role">
            {ROLES.map((one) => (
              <option key={one} value={one} selected={one === role}>
                {one}
              </option>
            ))}
          </select>
          <button class="button button-quiet" type="submit">
            Change the role
            <span class="unseen"> – {clean(name)}</span>
          </button>
        </form>
      )}
      {!isOwn && !isOutOfReach && (
        <div class="acts">
          {email !== null && disabled_at === null && act("link", "New link")}
          {has_two_factor === 1 && act("two-factor", "Reset two-factor sign-in")}
          {oidc_issuer !== null && act("untie", "Untie from single sign-on")}
          {disabled_at === null ? act("disable", "Disable") : act("enable", "Enable")}
        </div>
      )}
    </li>
  );
}
