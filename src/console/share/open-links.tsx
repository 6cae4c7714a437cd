// The open links of a study on the page "Share", and the forms that make one.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { ScreenerLink } from "../../client/types.ts";
import { shown } from "../../languages/counted.ts";
import type { Faults } from "../shell/faults.ts";
import { fieldsOf, TextField } from "../shell/fields.tsx";
import { Copyable, Pages, Token } from "../shell/layout.tsx";
import type { Order } from "../shell/newest.ts";
import { OtherOrder, withSort } from "../shell/table.tsx";
import type { Typed } from "../study/person-form.tsx";
import type { StudyFrame } from "../study/study-frame.tsx";

/** Some open links of a study, and the form for another one. */
export interface OpenLinksView {
  links: readonly ScreenerLink[];
  total: number;
  limit: number;
  offset: number;
  order: Order;
  typed: Typed;
  faults: Faults;
  /** Of a form that is sent twice, the second one changes nothing. */
  key: string;
}

export const LINK_LABELS = {
  name: "Name",
  limit: "How many may join",
  accept: "Attributes from the address",
  ask: "Ask at the beginning",
  oneEach: "Once in each browser",
  requireSignature: "Only with an address that a panel has signed with the signing key",
};

const STATES: Record<ScreenerLink["status"], [word: string, look: string]> = {
  OPEN: ["open", "live"],
  NOT_YET_OPEN: ["not open yet", "draft"],
  CLOSED: ["closed", "closed"],
  FULL: ["full", "closed"],
  REVOKED: ["revoked", "failed"],
};

/** What the links are called that the one button makes. */
const ONE_NAME = "Open link";

export function OpenLinks({ frame, view }: { frame: StudyFrame; view: OpenLinksView }): VNode {
  const { links, faults, typed, key, total, limit, offset, order } = view;
  const { base, id, signedIn } = frame;
  const path = `${base}/console/studies/${id}/share`;
  const isTyped = Object.keys(LINK_LABELS).some((name) => name in faults) || (typed.name ?? "") !== "";
  const shownOpen = links.find(({ status }) => status !== "REVOKED");
  return (
    <section aria-labelledby="open-links">
      <h2 id="open-links">An open link</h2>
      <p class="note">
        For everybody: on a poster, in a newsletter. A person who sends the first page joins the study.
      </p>
      {total > 1 && <OtherOrder path={path} at={order.sort} />}
      <ul class="cards">
        {links.map((link) => (
          <LinkCard key={link.id} link={link} path={path} token={signedIn.token} isShown={link === shownOpen} />
        ))}
      </ul>
      <Pages path={withSort(path, order.kept)} {...{ total, limit, offset }} />
      {!shownOpen && (
        <form method="post" action={path}>
          <Token value={signedIn.token} />
          <input type="hidden" name="key" value={`${key}-one`} />
          <input type="hidden" name="name" value={ONE_NAME} />
          <button class="button" type="submit" name="make" value="link">
            Create an open link
          </button>
        </form>
      )}
      <details class="more" open={isTyped}>
        <summary>{shownOpen ? "Another open link, or one with conditions" : "An open link with conditions"}</summary>
        <LinkForm path={path} token={signedIn.token} linkKey={key} typed={typed} faults={faults} />
      </details>
    </section>
  );
}

interface LinkFormProps {
  path: string;
  token: string;
  linkKey: string;
  typed: Typed;
  faults: Faults;
}

function LinkForm({ path, token, linkKey, typed, faults }: LinkFormProps): VNode {
  const field = fieldsOf(LINK_LABELS, typed, faults);
  return (
    <form class="card" method="post" action={path} novalidate>
      <Token value={token} />
      <input type="hidden" name="key" value={linkKey} />
      <TextField {...field("name")} hint="Where it will be, such as: Poster in the hall. People do not see it." />
      <TextField {...field("limit")} hint="Empty: any number." />
      <fieldset class="field choices">
        <legend>{LINK_LABELS.ask}</legend>
        <Box id="askName" label="Name" typed={typed} />
        <Box id="askEmail" label="Email. Nobody checks that it is theirs" typed={typed} />
        <Box id="confirmEmail" label="Email, confirmed by a link in a mail: one person an email" typed={typed} />
        <Box id="required" label="People must answer these" typed={typed} />
      </fieldset>
      <fieldset class="field choices">
        <legend>{LINK_LABELS.oneEach}</legend>
        <Box id="oneEach" label="The same browser goes on where it was. It gets a cookie" typed={typed} />
      </fieldset>
      <fieldset class="field choices">
        <legend>{LINK_LABELS.requireSignature}</legend>
        <Box id="requireSignature" label="Nobody joins by an address that was changed" typed={typed} />
      </fieldset>
      <TextField
        {...field("accept")}
        hint="Keys, with commas between: with source, the link with ?source=mail adds people with the attribute source = mail."
      />
      <button class="button" type="submit" name="make" value="link">
        Create the link
      </button>
    </form>
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

interface LinkCardProps {
  link: ScreenerLink;
  path: string;
  token: string;
  /** Whether its code is shown from the beginning. */
  isShown: boolean;
}

function LinkCard({ link, path, token, isShown }: LinkCardProps): VNode {
  const { id, name, status, joined, completed, limit } = link;
  const [word, look] = STATES[status];
  const image = `${path}/${id}/qr.svg`;
  const of = limit === null ? "" : ` of ${shown(limit)}`;
  return (
    <li class="card">
      <h3>
        <bdi>{clean(name)}</bdi>
      </h3>
      <p class="states">
        <span class={`state state-${look}`}>{word}</span>
        <span>
          {shown(joined)}
          {of} joined, {shown(completed)} completed
        </span>
      </p>
      {status !== "REVOKED" && (
        <>
          <p>
            <Copyable text={link.link} what="the link" />
          </p>
          <details open={isShown}>
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
