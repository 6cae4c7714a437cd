// The resource Appearance: how a workspace's pages for participants look.

import * as v from "valibot";
import { typedAddress } from "../base/clean-text.ts";
import { closedObject, sentBack } from "../base/schemas.ts";
import { fileInBase64 } from "../images/resource.ts";
import { tonesOf } from "./accent.ts";
import { FrameAncestors } from "./frame-ancestors.ts";
import type { AppearanceRow } from "./queries.ts";

const color = v.nullable(v.string());

export const AppearanceView = v.pipe(
  v.object({
    _type: v.literal("Appearance"),
    accentColor: color,
    accentColorLight: color,
    accentColorDark: color,
    privacyUrl: v.nullable(v.string()),
    contactUrl: v.nullable(v.string()),
    logo: v.nullable(
      v.pipe(v.object({ url: v.string(), width: v.number(), height: v.number() }), v.title("AppearanceLogo")),
    ),
    frameAncestors: v.array(v.string()),
  }),
  v.title("Appearance"),
);

export type Appearance = v.InferOutput<typeof AppearanceView>;

/** @param logoUrl the address of a logo with this hash */
export function viewOf(row: AppearanceRow, logoUrl: (hash: string) => string): Appearance {
  const tones = row.accent_color === null ? undefined : tonesOf(row.accent_color);
  return {
    _type: "Appearance",
    accentColor: row.accent_color,
    accentColorLight: tones?.light.accent ?? null,
    accentColorDark: tones?.dark.accent ?? null,
    privacyUrl: row.privacy_url,
    contactUrl: row.contact_url,
    logo:
      row.logo_hash === null ? null : { url: logoUrl(row.logo_hash), width: row.logo_width!, height: row.logo_height! },
    frameAncestors: JSON.parse(row.frame_ancestors),
  };
}

/** The file name of a logo with this hash. */
export function logoFile(hash: string): string {
  return `${hash}.webp`;
}

export const appearanceExample: Appearance = {
  _type: "Appearance",
  accentColor: "#0a7d55",
  accentColorLight: "#086041",
  accentColorDark: "#6cb199",
  privacyUrl: "https://example.org/privacy",
  contactUrl: "mailto:studies@example.org",
  logo: {
    url: "https://studies.example.org/w/0192f0c1-0000-7000-8000-000000000000/logo/5f2b0c8d1e6a4f3792b1c0d4e8a7f615.webp",
    width: 320,
    height: 96,
  },
  frameAncestors: ["https://portal.example.org"],
};

const MAX_LINK_LENGTH = 2048;

/** @param protocols with which it may begin */
const link = (protocols: readonly string[], examples: string[]) =>
  v.optional(
    v.nullable(
      v.pipe(
        v.string("must be a string"),
        v.metadata({ format: "uri", maxLength: MAX_LINK_LENGTH, examples }),
        v.transform(typedAddress),
        v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
          const fault = faultOfLink(value, protocols);
          if (fault === undefined) return new URL(value).href;
          addIssue({ message: fault });
          return NEVER;
        }),
      ),
    ),
  );

function faultOfLink(text: string, protocols: readonly string[]): string | undefined {
  if (text.length > MAX_LINK_LENGTH) return `must be at most ${MAX_LINK_LENGTH} characters`;
  const url = URL.parse(text);
  if (!url || !protocols.includes(url.protocol)) return `must begin with ${protocols.map(beginning).join(" or ")}`;
  if (url.username || url.password) return "must not have a user or a password: others could read them";
  return url.protocol === "mailto:" && !/^[^@\s]+@[^@\s]+$/.test(url.pathname)
    ? "must have an email after mailto:"
    : undefined;
}

const beginning = (protocol: string) => (protocol === "https:" ? "https://" : protocol);

/** Of the logo's file. */
export const MAX_LOGO_BYTES = 512 * 1024;

export const AppearanceChange = v.pipe(
  closedObject({
    ...sentBack("_type", "accentColorLight", "accentColorDark", "logo"),
    accentColor: v.optional(
      v.nullable(
        v.pipe(
          v.string("must be a string"),
          v.metadata({ pattern: "^#[0-9A-Fa-f]{6}$", examples: ["#0a7d55"] }),
          v.check((text) => /^#[0-9a-f]{6}$/i.test(text), "must be a colour such as #0a7d55"),
          v.transform((text) => text.toLowerCase()),
        ),
      ),
    ),
    privacyUrl: link(["https:"], ["https://example.org/privacy"]),
    contactUrl: link(["https:", "mailto:"], ["mailto:studies@example.org"]),
    frameAncestors: FrameAncestors,
    logoFile: v.optional(
      v.nullable(fileInBase64(MAX_LOGO_BYTES, "A PNG, JPEG or WebP image in base64; null removes the logo")),
    ),
  }),
  v.title("AppearanceChange"),
);
