// X-Service-Api-Version: the version of the API that a caller asks for.

import { Problem } from "../../base/problems.ts";

export const CURRENT_VERSION = "1.0.0";

/** @throws Problem 400 unless `header` is absent or any 1.x.y */
export function checkVersion(header: string | undefined): void {
  if (header === undefined || header === CURRENT_VERSION) return;
  if (/^1\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/.test(header.trim())) return;
  throw new Problem("unsupported_api_version", {
    detail: `X-Service-Api-Version must be MAJOR.MINOR.PATCH. Every 1.x.y is supported; the current version is ${CURRENT_VERSION}.`,
    supportedVersions: [CURRENT_VERSION],
    errors: [{ pointer: "X-Service-Api-Version", message: "must be 1.x.y" }],
  });
}
