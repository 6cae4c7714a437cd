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

interface AppearancePage {
  appearance: Appearance;
  typed: TypedAppearance;
  faults: Faults;
  isSaved: boolean;
  /** A page as people see it. */
  sample: string;
  /** The path of the script. */
  script: string;
  curl: string;
}

const LABELS = {
  accentColor: "Accent colour",
  privacyUrl: "Privacy link",
  contactUrl: "Contact link",
  logoFile: "Logo",
  frameAncestors: "Sites that may show the pages in a frame",
};

const AT = "/console/appearance";

export function renderAppearance(base: string, signedIn: SignedIn, view: AppearancePage): string {
  const { appearance, typed, faults, isSaved, sample, script, curl } = view;
  const title = Object.keys(faults).length ? "Error – Appearance" : "Appearance";
  const field = fieldsOf(LABELS, typed, faults);
  return renderPage(
    { base, title, signedIn, at: AT, script, isWide: true },
    <>
      <FaultSummary faults={faults} labels={LABELS} />
      <h1>Appearance</h1>
      <p class="note">How the pages look where people answer.</p>
      {isSaved && (
        <div class="done" role="status">
          <p>Saved. The pages that people open from now on look like this.</p>
        </div>
      )}
      <div class="looks">
        <form method="post" action={base + AT} enctype="multipart/form-data" novalidate>
          <Token value={signedIn.token} />
          <AccentField appearance={appearance} {...field("accentColor")} />
          <LogoField appearance={appearance} fault={faults.logoFile} />
          <TextField {...field("privacyUrl")} hint="At the foot of each page. It begins with https://" />
          <TextField {...field("contactUrl")} hint="Beside it. It begins with https:// or mailto:" />
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
        <Samples sample={sample} />
      </div>
      <ApiCall curl={curl} />
    </>,
  );
}

/** The colour as a text; where scripts run, with the browser's own field for colours beside it. */
function AccentField({
  appearance,
  value,
  fault,
}: {
  appearance: Appearance;
  value: string;
  fault: string | undefined;
}): VNode {
  const { accentColor: label } = LABELS;
  return (
    <>
      <LabelledField
        id="accentColor"
        label={label}
        hint="Of buttons, links and what is chosen, such as #0a7d55. Empty: blue."
        fault={fault && `${label} ${fault}`}
      >
        {(described) => (
          <span class="color">
            <input
              class="entry entry-short"
              type="text"
              id="accentColor"
              name="accentColor"
              autocomplete="off"
              spellcheck={false}
              value={clean(value)}
              aria-invalid={fault ? "true" : undefined}
              aria-describedby={described}
            />
            <input type="color" id="accentPicker" aria-label="Choose the accent colour" hidden />
          </span>
        )}
      </LabelledField>
      <Tones appearance={appearance} />
    </>
  );
}

/** The pages with what is typed. Without a script: one, with what is saved, in the colours that the screen has. */
function Samples({ sample }: { sample: string }): VNode {
  return (
    <section aria-labelledby="preview">
      <h2 id="preview">Preview</h2>
      <div class="samples">
        {(["light", "dark"] as const).map((scheme) => (
          <figure key={scheme}>
            <figcaption class="note">On {scheme} screens</figcaption>
            {/* Its forms send nothing. */}
            <iframe
              class="phone"
              title={`A page on ${scheme} screens`}
              sandbox="allow-same-origin"
              data-scheme={scheme}
              srcDoc={sample}
            />
          </figure>
        ))}
      </div>
    </section>
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
