// The page from which a study is shared: by an open link, with one person, or with a list.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { ScreenerLink } from "../../client/types.ts";
import type { Faults } from "../shell/faults.ts";
import { FaultSummary, fieldsOf, TextField } from "../shell/fields.tsx";
import { ApiCall, Copyable, Pages, Token } from "../shell/layout.tsx";
import { PERSON_LABELS, PersonForm, type Typed } from "../study/person-form.tsx";
import { renderStudyPage, type StudyFrame } from "../study/study-frame.tsx";

/** Somebody who was added just now, with a link of their own. */
export interface AddedPerson {
  /** Null: it has none. */
  name: string | null;
  link: string;
}

interface ShareView {
  links: readonly ScreenerLink[];
  total: number;
  limit: number;
  offset: number;
  isPublished: boolean;
  typed: Typed;
  faults: Faults;
  added: AddedPerson | undefined;
  curl: string;
  /** Of a form that is sent twice, the second one changes nothing. */
  key: string;
}

const LINK_LABELS = {
  name: "Name",
  limit: "How many may join",
  accept: "Attributes from the address",
  ask: "Ask at the beginning",
  oneEach: "Once with a browser",
  requireSignature: "Only with an address that a panel has signed with the signing key",
};

const LABELS = { ...LINK_LABELS, ...PERSON_LABELS };

const STATES: Record<ScreenerLink["status"], [word: string, look: string]> = {
  OPEN: ["open", "live"],
  NOT_YET_OPEN: ["not open yet", "draft"],
  CLOSED: ["closed", "closed"],
  FULL: ["full", "closed"],
  REVOKED: ["revoked", "failed"],
};

export function renderShare(frame: StudyFrame, view: ShareView): string {
  const { base, id, signedIn } = frame;
  const { links, isPublished, typed, faults, added, curl, key, total, limit, offset } = view;
  const path = `${base}/console/studies/${id}/share`;
  const field = fieldsOf(LABELS, typed, faults);
  return renderStudyPage(
    frame,
    { at: "/share", heading: "Share", hasFaults: Object.keys(faults).length > 0 },
    <>
      <FaultSummary faults={faults} labels={LABELS} />
      {added && <Added person={added} />}
      {!isPublished && (
        <p class="notice">
          Nobody can answer yet: <a href={`${base}/console/studies/${id}/publish`}>publish the study</a> first.
        </p>
      )}
      <section aria-labelledby="open-links">
        <h2 id="open-links">Open links</h2>
        <p class="note">For everybody: on a poster, in a newsletter. Whoever sends the first page joins the study.</p>
        <ul class="cards">
          {links.map((link) => (
            <LinkCard key={link.id} link={link} path={path} token={signedIn.token} />
          ))}
        </ul>
        <Pages path={path} {...{ total, limit, offset }} />
        <form class="card apart" method="post" action={path} novalidate>
          <h3>New open link</h3>
          <Token value={signedIn.token} />
          <input type="hidden" name="key" value={key} />
          <TextField {...field("name")} hint="Where it will be, such as: Poster in the hall. People do not see it." />
          <TextField {...field("limit")} hint="Empty: any number." />
          <fieldset class="field choices">
            <legend>{LABELS.ask}</legend>
            <Box id="askName" label="Name" typed={typed} />
            <Box id="askEmail" label="Email. Nobody checks that it is theirs" typed={typed} />
            <Box id="confirmEmail" label="Email, confirmed by a link in a mail: one person an email" typed={typed} />
            <Box id="required" label="They must be given" typed={typed} />
          </fieldset>
          <fieldset class="field choices">
            <legend>{LABELS.oneEach}</legend>
            <Box id="oneEach" label="The same browser goes on where it was. It gets a cookie" typed={typed} />
          </fieldset>
          <fieldset class="field choices">
            <legend>{LABELS.requireSignature}</legend>
            <Box id="requireSignature" label="Nobody joins by an address that was changed" typed={typed} />
          </fieldset>
          <TextField
            {...field("accept")}
            hint="Keys, with commas between: with source, the link with ?source=mail makes people with the attribute source = mail."
          />
          <button class="button" type="submit" name="make" value="link">
            Create the link
          </button>
        </form>
      </section>
      <section class="apart" aria-labelledby="one-person">
        <h2 id="one-person">One person</h2>
        <PersonForm frame={frame} personKey={key} typed={typed} faults={faults} />
      </section>
      <section class="apart" aria-labelledby="a-list">
        <h2 id="a-list">A list</h2>
        <p>
          <a href={`${base}/console/studies/${id}/import`}>Import a list of people</a>, and create their links.
        </p>
      </section>
      <ApiCall curl={curl} />
    </>,
  );
}

function Box({ id, label, typed }: { id: string; label: string; typed: Typed }): VNode {
  return (
    <div class="choice">
      <input type="checkbox" id={id} name={id} value="yes" checked={typed[id] === "yes"} />
      <label for={id}>{label}</label>
    </div>
  );
}

function Added({ person: { name, link } }: { person: AddedPerson }): VNode {
  return (
    <div class="done" role="status">
      <p>
        The link of {name === null ? "this person" : <bdi>{clean(name)}</bdi>}. Send it to them alone: with it, one can
        answer for them.
      </p>
      <p>
        <Copyable text={link} what="the link" />
      </p>
    </div>
  );
}

function LinkCard({ link, path, token }: { link: ScreenerLink; path: string; token: string }): VNode {
  const { id, name, status, joined, completed, limit } = link;
  const [word, look] = STATES[status];
  const image = `${path}/${id}/qr.svg`;
  const of = limit === null ? "" : ` of ${limit.toLocaleString("en-GB")}`;
  return (
    <li class="card">
      <h3>
        <bdi>{clean(name)}</bdi>
      </h3>
      <p class="states">
        <span class={`state state-${look}`}>{word}</span>
        <span>
          {joined.toLocaleString("en-GB")}
          {of} joined, {completed.toLocaleString("en-GB")} completed
        </span>
      </p>
      {status !== "REVOKED" && (
        <>
          <p>
            <Copyable text={link.link} what="the link" />
          </p>
          <details>
            <summary>QR code</summary>
            <p>
              <img src={image} width="240" height="240" loading="lazy" alt={`QR code of the link ${clean(name)}`} />
            </p>
            <p>
              <a href={image} download>
                Download it as SVG
              </a>
            </p>
          </details>
          <form method="post" action={`${path}/${id}/revocation`}>
            <Token value={token} />
            <button class="button button-quiet" type="submit">
              Revoke <span class="unseen">{clean(name)}</span>
            </button>
          </form>
        </>
      )}
    </li>
  );
}
