// How a workspace's pages look: what its appearance adds to the service's own stylesheet and frame.

import { type Inline, inline } from "../http/wire/page-assets.ts";
import type { Tones } from "./accent.ts";
import { tonesOf } from "./accent.ts";
import type { AppearanceRow } from "./queries.ts";
import { logoFile } from "./resource.ts";

export interface Look {
  /** Undefined: the service's own colours. */
  style: Inline | undefined;
  logo: { path: string; width: number; height: number } | null;
  privacyUrl: string | null;
  contactUrl: string | null;
  /** The origins of sites that may show the pages in frames. */
  frameAncestors: readonly string[];
}

/** The same look for pages that show no workspace. */
export const PLAIN_LOOK: Look = {
  style: undefined,
  logo: null,
  privacyUrl: null,
  contactUrl: null,
  frameAncestors: [],
};

/** @param folder the path of the workspace's links, under which its logo is */
export function lookOf(row: AppearanceRow, folder: string): Look {
  const { accent_color, privacy_url, contact_url, logo_hash, logo_width, logo_height, frame_ancestors } = row;
  return {
    style: accent_color === null ? undefined : styleOf(accent_color),
    logo:
      logo_hash === null
        ? null
        : { path: `${folder}/logo/${logoFile(logo_hash)}`, width: logo_width! / 2, height: logo_height! / 2 },
    privacyUrl: privacy_url,
    contactUrl: contact_url,
    frameAncestors: frame_ancestors === "[]" ? [] : JSON.parse(frame_ancestors),
  };
}

const MAX_KEPT = 1000;

/** By accent: the same few are asked for with each page. */
const kept = new Map<string, Inline>();

/** The stylesheet of an accent, as `#rrggbb`. */
export function styleOf(accent: string): Inline {
  let style = kept.get(accent);
  if (!style) {
    const { light, dark } = tonesOf(accent);
    style = inline(
      `:root{${variables(light)}--focus:${light.accent}}@media screen and (prefers-color-scheme:dark){:root{${variables(dark)}--focus:#ffd166}}`,
    );
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(accent, style);
  }
  return style;
}

function variables({ accent, ink, wash }: Tones): string {
  return `--accent:${accent};--accent-ink:${ink};--accent-wash:${wash};`;
}
