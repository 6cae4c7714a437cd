// Statements on how a workspace's pages for participants look.

import type { Reader, Writer } from "../../db/sqlite/connection.ts";
import type { Image } from "../images/encode.ts";

export interface AppearanceRow {
  accent_color: string | null;
  privacy_url: string | null;
  contact_url: string | null;
  logo_hash: string | null;
  logo_width: number | null;
  logo_height: number | null;
  /** JSON: origins. */
  frame_ancestors: string;
}

const NONE: AppearanceRow = {
  accent_color: null,
  privacy_url: null,
  contact_url: null,
  logo_hash: null,
  logo_width: null,
  logo_height: null,
  frame_ancestors: "[]",
};

/** Without the logo's bytes. */
export function getAppearance(db: Reader): AppearanceRow {
  const row = db.get<AppearanceRow>(
    "SELECT accent_color, privacy_url, contact_url, logo_hash, logo_width, logo_height, frame_ancestors FROM appearance WHERE id = 1",
  );
  return row ?? NONE;
}

export function setAppearance(
  db: Writer,
  {
    accentColor,
    privacyUrl,
    contactUrl,
    frameAncestors,
  }: {
    accentColor: string | null;
    privacyUrl: string | null;
    contactUrl: string | null;
    frameAncestors: readonly string[];
  },
): void {
  db.run(
    `INSERT INTO appearance (id, accent_color, privacy_url, contact_url, frame_ancestors) VALUES (1, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET accent_color = excluded.accent_color, privacy_url = excluded.privacy_url,
       contact_url = excluded.contact_url, frame_ancestors = excluded.frame_ancestors`,
    accentColor,
    privacyUrl,
    contactUrl,
    JSON.stringify(frameAncestors),
  );
}

/** Call it after `setAppearance`. @param logo null: there is none */
export function setLogo(db: Writer, logo: Image | null): void {
  db.run(
    "UPDATE appearance SET logo_hash = ?, logo_width = ?, logo_height = ?, logo_bytes = ? WHERE id = 1",
    logo?.hash ?? null,
    logo?.width ?? null,
    logo?.height ?? null,
    logo && Buffer.from(logo.bytes),
  );
}

/** The bytes of the logo with this hash; undefined when the workspace has another one. */
export function findLogo(db: Reader, hash: string): Buffer | undefined {
  return db.value("SELECT logo_bytes FROM appearance WHERE id = 1 AND logo_hash = ?", hash);
}
