// X-Service-Api-Version: which version of the API answers.

import { Problem } from "../problems.ts";

export const CURRENT_VERSION = "1.0.0";

/** @throws Problem 400 unless `header` is absent or any 1.x.y */
export function checkVersion(header: string | undefined): void {
  if (header === undefined || header === CURRENT_VERSION) return;
  if (/^1\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/.test(header.trim())) return;
  throw new Problem("unsupported_api_version", {
    detail: `X-Service-Api-Version must be MAJOR.MINOR.PATCH with a major version that is served. Any 1.x.y is; ${CURRENT_VERSION} is current.`,
    supportedVersions: [CURRENT_VERSION],
    errors: [{ pointer: "X-Service-Api-Version", message: "must be 1.x.y" }],
  });
}
