// The page with the API keys of a workspace.

import type { VNode } from "preact";
import type { Key } from "../../access/keys.ts";
import { clean } from "../../base/clean-text.ts";
import type { SigningKey } from "../../client/types.ts";
import { scopesOf } from "../../workspaces/credentials.ts";
import type { Scope } from "../../workspaces/rights.ts";
import type { Faults } from "../shell/faults.ts";
import { FaultSummary, fieldsOf, TextField } from "../shell/fields.tsx";
import { Copyable, renderPage, type SignedIn, Time, Token } from "../shell/layout.tsx";

/** A key, as typed. */
export interface TypedKey {
  name: string;
  scopes: string[];
  days: string;
}

/** A key whose secret was made just now. It is shown once. */
export interface Issued {
  name: string;
  apiKey: string;
  apiSecret: string;
}

interface KeysView {
  keys: Key[];
  typed: TypedKey;
  faults: Faults;
  issued: Issued | undefined;
  /** The id of the key that the form issues. */
  uid: string;
  /** The key that signs addresses, and its secret, if it was made just now. */
  signing: SigningKey;
  signingSecret: string | undefined;
}

const LABELS = { name: "Name", scopes: "What it may do", days: "Days until it expires" };

const SCOPES: [scope: Scope, label: string][] = [
  ["read", "read: see everything, also the links of people, with which one can answer for them"],
  ["read-without-links", "read-without-links: see everything but links"],
  ["import", "import: people and who is in which study"],
  ["respond", "respond: create links, read them, and send answers"],
  ["author", "author: make, change and publish studies"],
  ["review", "review: accept and reject answers"],
  ["admin", "admin: everything"],
];

export function renderKeys(base: string, signedIn: SignedIn, view: KeysView): string {
  const { keys, typed, faults, issued, uid, signing, signingSecret } = view;
  const title = Object.keys(faults).length ? "Error – API keys" : "API keys";
  const field = fieldsOf(LABELS, typed, faults);
  return renderPage(
    { base, title, signedIn, at: "/console/keys" },
    <>
      <FaultSummary faults={faults} labels={LABELS} />
      {issued && <Secret issued={issued} />}
      {signingSecret !== undefined && (
        <div class="done" role="status">
          <p>The secret of the signing key is shown only here. Keep it as you keep passwords.</p>
          <p>
            <Copyable text={signingSecret} what="the secret" />
          </p>
        </div>
      )}
      <h1>API keys</h1>
      {keys.length === 0 && <p>There is no key yet.</p>}
      <ul class="cards">
        {keys.map((key) => (
          <Card key={key.row.uid} base={base} token={signedIn.token} shown={key} />
        ))}
      </ul>
      <section class="card apart">
        <h2>Issue a key</h2>
        <form method="post" action={`${base}/console/keys`} novalidate>
          <Token value={signedIn.token} />
          <input type="hidden" name="uid" value={uid} />
          <TextField {...field("name")} hint="What it is for. The log has it beside all that the key does." />
          <fieldset
            class={faults.scopes ? "field field-wrong choices" : "field choices"}
            aria-describedby={faults.scopes && "scopes-fault"}
          >
            <legend>{LABELS.scopes}</legend>
            {faults.scopes && (
              <p class="error" id="scopes-fault">
                {LABELS.scopes} {faults.scopes}
              </p>
            )}
            {SCOPES.map(([scope, label], at) => (
              <div class="choice" key={scope}>
                <input
                  type="checkbox"
                  id={at ? `scopes-${scope}` : "scopes"}
                  name="scopes"
                  value={scope}
                  checked={typed.scopes.includes(scope)}
                />
                <label for={at ? `scopes-${scope}` : "scopes"}>{label}</label>
              </div>
            ))}
          </fieldset>
          <TextField {...field("days")} hint="Leave it empty, and it does not expire." />
          <button class="button" type="submit">
            Issue the key
          </button>
        </form>
      </section>
      <section class="card apart" aria-labelledby="signing">
        <h2 id="signing">Signing key</h2>
        <p class="note">
          Signs the addresses to which people are redirected, and says whether an open link comes from a panel.{" "}
          {signing.createdAt === null ? (
            "There is none yet."
          ) : (
            <>
              Made <Time at={signing.createdAt} />.
            </>
          )}
          {signing.previousExpiresAt !== null && (
            <>
              {" "}
              The one before counts until <Time at={signing.previousExpiresAt} />.
            </>
          )}
        </p>
        <form method="post" action={`${base}/console/keys/signing`}>
          <Token value={signedIn.token} />
          <input type="hidden" name="uid" value={uid} />
          <button class="button button-quiet" type="submit">
            {signing.createdAt === null ? "Make a signing key" : "Make another signing key"}
          </button>
          {signing.createdAt !== null && <p class="note">The one before counts for another day.</p>}
        </form>
      </section>
    </>,
  );
}

function Secret({ issued: { name, apiKey, apiSecret } }: { issued: Issued }): VNode {
  return (
    <div class="done" role="status">
      <p>
        The secret of <bdi>{clean(name)}</bdi> is shown only here. Keep it as you keep passwords.
      </p>
      <dl>
        <dt>Key</dt>
        <dd>
          <Copyable text={apiKey} what="the key" />
        </dd>
        <dt>Secret</dt>
        <dd>
          <Copyable text={apiSecret} what="the secret" />
        </dd>
      </dl>
    </div>
  );
}

/** When a key was last used, to the minute. */
export function LastUse({ at }: { at: number | null }): VNode {
  if (at === null) return <>Never used.</>;
  return (
    <>
      Last used <Time at={at} />.
    </>
  );
}

function Card({ base, token, shown }: { base: string; token: string; shown: Key }): VNode {
  const { row, secrets } = shown;
  const newest = secrets.at(-1);
  const older = secrets.slice(0, -1);
  return (
    <li class="card">
      <h2>
        <bdi>{clean(row.name)}</bdi>
      </h2>
      <p class="states">
        {row.revoked_at !== null ? (
          <span class="state state-failed">revoked</span>
        ) : newest ? (
          <span class="state state-live">works</span>
        ) : (
          <span class="state state-failed">expired</span>
        )}
        <span>{[...scopesOf(row)].join(", ")}</span>
      </p>
      <p class="note">
        <code>{row.api_key}</code>
      </p>
      <p class="note">
        <LastUse at={row.last_used_at} />
        {newest?.expires_at != null && (
          <>
            {" "}
            Expires <Time at={newest.expires_at} />.
          </>
        )}
        {older.map(({ expires_at }) => (
          <>
            {" "}
            The old secret works until <Time at={expires_at!} />.
          </>
        ))}
      </p>
      {row.revoked_at === null && (
        <div class="acts">
          <form method="post" action={`${base}/console/keys/${row.uid}/rotate`}>
            <Token value={token} />
            <input type="hidden" name="newest" value={newest?.created_at ?? 0} />
            <button class="button button-quiet" type="submit">
              New secret
              <span class="unseen"> – {clean(row.name)}</span>
            </button>
          </form>
          <a class="button button-grave" href={`${base}/console/keys/${row.uid}/revoke`}>
            Revoke
            <span class="unseen"> – {clean(row.name)}</span>
          </a>
        </div>
      )}
    </li>
  );
}
