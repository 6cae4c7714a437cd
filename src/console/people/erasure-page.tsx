// The pages that ask before a person is erased, and before a link is revoked.

import { clean } from "../../base/clean-text.ts";
import type { Participant, ScreenerSession } from "../../client/types.ts";
import { ConfirmField, FaultSummary } from "../shell/fault-list.tsx";
import { ApiCall, renderPage, type SignedIn, Token } from "../shell/layout.tsx";
import { shortLink } from "./person-page.tsx";

interface ErasureView {
  token: string;
  person: Participant;
  typed: string;
  fault: string | undefined;
  curl: string;
}

export function renderErasure(base: string, signedIn: SignedIn, view: ErasureView): string {
  const { token, person, typed, fault, curl } = view;
  const path = `${base}/console/people/${person.id}`;
  return renderPage(
    { base, title: `${fault ? "Error – " : ""}Erase a person`, signedIn, at: "/console/people" },
    <>
      <p class="back">
        <a href={path}>
          <bdi>{clean(person.name ?? person.externalUid)}</bdi>
        </a>
      </p>
      <FaultSummary faults={fault ? [{ field: "confirm", message: fault }] : []} />
      <h1>
        Erase <bdi>{clean(person.name ?? person.externalUid)}</bdi>?
      </h1>
      <p>
        Name, email, id, attributes, links and answers are deleted for good, also from what imports have kept. They
        can’t be brought back. People who have qualified keep their places in the target. Files that wait to be imported
        in this workspace are deleted, too, and plans that name the person end.
      </p>
      <form method="post" action={`${path}/erase`}>
        <Token value={token} />
        <ConfirmField label="The person’s id" word={person.externalUid} typed={typed} fault={fault} />
        <button class="button button-grave" type="submit">
          Erase this person
        </button>
      </form>
      <ApiCall curl={curl} />
    </>,
  );
}

interface RevocationView {
  person: Participant;
  session: ScreenerSession;
  curl: string;
}

export function renderRevocation(base: string, signedIn: SignedIn, { person, session, curl }: RevocationView): string {
  const path = `${base}/console/people/${person.id}`;
  return renderPage(
    { base, title: "Revoke a link", signedIn, at: "/console/people" },
    <>
      <p class="back">
        <a href={path}>
          <bdi>{clean(person.name ?? person.externalUid)}</bdi>
        </a>
      </p>
      <h1>
        Revoke the link of <bdi>{clean(person.name ?? person.externalUid)}</bdi>?
      </h1>
      <p>
        <code>{shortLink(session)}</code>
      </p>
      <p>
        It stops working for good, and how far the person has come with it is lost. Answers stay. You can create another
        link afterwards.
      </p>
      <form method="post" action={`${path}/links/${session.reference}/revoke`}>
        <Token value={signedIn.token} />
        <button class="button button-grave" type="submit">
          Revoke this link
        </button>
      </form>
      <ApiCall curl={curl} />
    </>,
  );
}
