// The form for a new study.

import type { Screener } from "../../client/types.ts";
import type { Faults } from "../shell/faults.ts";
import { Choices, FaultSummary, TextField } from "../shell/fields.tsx";
import { renderPage, type SignedIn, Token } from "../shell/layout.tsx";
import { BLANK, TEMPLATES } from "./templates/registry.ts";

/** The settings of a study, as typed. */
export interface Settings {
  title: string;
  acceptance: Screener["acceptance"];
  opensAt: string;
  closesAt: string;
  linkExpiresAt: string;
  quotaHoldMinutes: string;
  timeZone: string;
  review: Screener["review"];
}

export function renderNewStudy(
  base: string,
  signedIn: SignedIn,
  { title, template, key, faults }: { title: string; template: string; key: string; faults: Faults },
): string {
  const heading = "New study";
  const hasFaults = Object.keys(faults).length > 0;
  return renderPage(
    { base, title: hasFaults ? `Error – ${heading}` : heading, signedIn, at: "/console/studies" },
    <>
      <FaultSummary faults={faults} labels={{ title: "Title" }} />
      <h1>{heading}</h1>
      <form method="post" action={`${base}/console/studies`} novalidate>
        <Token value={signedIn.token} />
        <input type="hidden" name="key" value={key} />
        <TextField
          name="title"
          label="Title"
          hint="People who answer see it. You can change it later."
          value={title}
          fault={faults.title}
        />
        <Choices
          name="template"
          label="Begin with"
          value={TEMPLATES.has(template) ? template : BLANK}
          choices={[
            { value: BLANK, label: "A blank study", hint: "You write the questions." },
            ...[...TEMPLATES].map(([value, { name, about }]) => ({ value, label: name, hint: about })),
          ]}
        />
        <button class="button" type="submit">
          Make the study
        </button>
      </form>
    </>,
  );
}
