// The page with how participants' pages look.

import type { VNode } from "preact";
import { clean } from "../../base/clean-text.ts";
import type { Appearance } from "../../client/types.ts";
import { LabelledField } from "../shell/fault-list.tsx";
import type { Faults } from "../shell/faults.ts";
import { FaultSummary, fieldsOf, TextArea, TextField } from "../shell/fields.tsx";
import { ApiCall, renderPage, type SignedIn, Token } from "../shell/layout.tsx";

/** The typed texts; empty: nothing was typed. */
export interface TypedAppearance {
  accentColor: string;
  privacyUrl: string;
  contactUrl: string;
  /** One on each line. */
  frameAncestors: string;
}

const LABELS = {
  accentColor: "Accent colour",
  privacyUrl: "Privacy link",
  contactUrl: "Contact link",
  logoFile: "Logo",
  frameAncestors: "Sites that may show the pages in a frame",
};

const AT = "/console/appearance";

export function renderAppearance(
  base: string,
  signedIn: SignedIn,
  view: { appearance: Appearance; typed: TypedAppearance; faults: Faults; isSaved: boolean; curl: string },
): string {
  const { appearance, typed, faults, isSaved, curl } = view;
  const title = Object.keys(faults).length ? "Error – Appearance" : "Appearance";
  const field = fieldsOf(LABELS, typed, faults);
  return renderPage(
    { base, title, signedIn, at: AT },
    <>
      <FaultSummary faults={faults} labels={LABELS} />
      <h1>Appearance</h1>
      <p class="note">How the pages look on which people answer.</p>
      {isSaved && (
        <div class="done" role="status">
          <p>Saved. The pages that people open from now on look like this.</p>
        </div>
      )}
      <form method="post" action={base + AT} enctype="multipart/form-data" novalidate>
        <Token value={signedIn.token} />
        <TextField
          {...field("accentColor")}
          hint="Of buttons, links and what is chosen, such as #0a7d55. Empty: blue."
        />
        <Tones appearance={appearance} />
        <TextField {...field("privacyUrl")} hint="At the foot of each page. It begins with https://" />
        <TextField {...field("contactUrl")} hint="Beside it. It begins with https:// or mailto:" />
        <LogoField appearance={appearance} fault={faults.logoFile} />
        <TextArea
          {...field("frameAncestors")}
          rows={3}
          hint="One on each line, such as https://portal.example.org. Empty: none. Open links that let each browser join once do not work there."
        />
        <p class="apart">
          <button class="button" type="submit">
            Save
          </button>
        </p>
      </form>
      <ApiCall curl={curl} />
    </>,
  );
}

/** What became of the accent, where it could not be read as it was chosen. */
function Tones({
  appearance: { accentColor, accentColorLight, accentColorDark },
}: {
  appearance: Appearance;
}): VNode | null {
  if (accentColor === null) return null;
  const isLight = accentColorLight === accentColor;
  const isDark = accentColorDark === accentColor;
  if (isLight && isDark) return null;
  return (
    <p class="note">
      So that everybody can read it, {accentColor} becomes{" "}
      {[!isLight && `${accentColorLight} on light pages`, !isDark && `${accentColorDark} on dark ones`]
        .filter(Boolean)
        .join(" and ")}
      .
    </p>
  );
}

function LogoField({ appearance: { logo }, fault }: { appearance: Appearance; fault: string | undefined }): VNode {
  return (
    <>
      <LabelledField
        id="logoFile"
        label={LABELS.logoFile}
        hint="A PNG, JPEG or WebP file of at most 512 KiB. People see it instead of the workspace’s name, at most 320 × 64."
        fault={fault && `${LABELS.logoFile} ${fault}`}
      >
        {() => (
          <input
            class="entry"
            type="file"
            id="logoFile"
            name="logoFile"
            accept="image/png,image/jpeg,image/webp"
            aria-invalid={fault ? "true" : undefined}
            aria-describedby={fault ? "logoFile-hint logoFile-fault" : "logoFile-hint"}
          />
        )}
      </LabelledField>
      {logo && (
        <>
          <p>
            <img
              src={clean(new URL(logo.url).pathname)}
              width={logo.width / 2}
              height={logo.height / 2}
              alt="The logo as it is now"
            />
          </p>
          <div class="choice">
            <input type="checkbox" id="removeLogo" name="removeLogo" value="yes" />
            <label for="removeLogo">Remove the logo</label>
          </div>
        </>
      )}
    </>
  );
}
