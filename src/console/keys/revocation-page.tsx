// The page that asks before an API key is revoked.

import type { Key } from "../../access/keys.ts";
import { clean } from "../../base/clean-text.ts";
import { ConfirmField, FaultSummary } from "../shell/fault-list.tsx";
import { renderPage, type SignedIn, Token } from "../shell/layout.tsx";
import { LastUse } from "./page.tsx";

interface KeyRevocationView {
  key: Key["row"];
  typed: string;
  fault: string | undefined;
}

export function renderKeyRevocation(
  base: string,
  signedIn: SignedIn,
  { key, typed, fault }: KeyRevocationView,
): string {
  return renderPage(
    { base, title: `${fault ? "Error – " : ""}Revoke a key`, signedIn, at: "/console/keys" },
    <>
      <p class="back">
        <a href={`${base}/console/keys`}>API keys</a>
      </p>
      <FaultSummary faults={fault ? [{ field: "confirm", message: fault }] : []} />
      <h1>
        Revoke <bdi>{clean(key.name)}</bdi>?
      </h1>
      <p>
        What uses this key stops working at once, and for good: a revoked key can’t be brought back. To exchange only
        its secret, make a new secret instead.
      </p>
      <p>
        <code>{key.api_key}</code>
      </p>
      <p>
        <LastUse at={key.last_used_at} />
      </p>
      <form method="post" action={`${base}/console/keys/${key.uid}/revoke`}>
        <Token value={signedIn.token} />
        <ConfirmField label="The key’s name" word={key.name} typed={typed} fault={fault} />
        <button class="button button-grave" type="submit">
          Revoke this key
        </button>
      </form>
    </>,
  );
}
