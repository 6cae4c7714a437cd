// The pages that ask before a person is erased, and before a link is revoked.

import { clean } from "../../text.ts";
import { FaultSummary, LabelledField } from "./faults.tsx";
import { ApiCall, renderPage, type SignedIn, Token } from "./layout.tsx";
import { type Person, type Session, shortLink } from "./person-page.tsx";

export interface ErasureView {
  token: string;
  person: Person;
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
        Name, email, id, attributes, links and answers go for good, also from what imports have kept. Nothing brings
        them back. Who has qualified keeps the place in the target. Files that wait to be imported in this workspace go,
        too, and plans that name the person end.
      </p>
      <form method="post" action={`${path}/erase`}>
        <Token value={token} />
        <LabelledField
          id="confirm"
          label="The person’s id"
          hint={
            <>
              Type <bdi class="strong">{clean(person.externalUid)}</bdi> to confirm.
            </>
          }
          fault={fault}
        >
          {(described) => (
            <input
              class="entry"
              id="confirm"
              name="confirm"
              type="text"
              value={clean(typed)}
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              aria-describedby={described}
              aria-invalid={fault ? "true" : undefined}
            />
          )}
        </LabelledField>
        <button class="button button-grave" type="submit">
          Erase this person
        </button>
      </form>
      <ApiCall curl={curl} />
    </>,
  );
}

export interface RevocationView {
  person: Person;
  session: Session;
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
        It does not work any more, for good, and how far the person has come with it is forgotten. Answers stay. You can
        make another link afterwards.
      </p>
      <form method="post" action={`${path}/links/${session.id}/revoke`}>
        <Token value={signedIn.token} />
        <button class="button button-grave" type="submit">
          Revoke this link
        </button>
      </form>
      <ApiCall curl={curl} />
    </>,
  );
}
