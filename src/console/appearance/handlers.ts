// The page with how participants' pages look, where an admin chooses the colour, the links and the logo.

import { MAX_LOGO_BYTES } from "../../appearance/resource.ts";
import type { Appearance } from "../../client/types.ts";
import type { Reply } from "../../http/wire/reply.ts";
import { type Faults, faultsOf } from "../shell/faults.ts";
import { islandOf } from "../shell/islands.ts";
import type { FormFile } from "../shell/multipart.ts";
import { type ConsoleRoute, page, signedIn, type VisitorRequest } from "../shell/request.ts";
import { renderAppearance, type TypedAppearance } from "./page.tsx";
import { renderSample } from "./sample.ts";

const path = "/console/appearance";

export const appearancePages: readonly ConsoleRoute[] = [
  { method: "get", path, role: "admin", handle: (request) => show(request, {}) },
  { method: "post", path, role: "admin", handle: save, takesFile: true },
];

const FIELDS = ["accentColor", "privacyUrl", "contactUrl", "logoFile", "frameAncestors"];

async function show(
  request: VisitorRequest,
  { typed, faults = {}, isSaved = false }: { typed?: TypedAppearance; faults?: Faults; isSaved?: boolean },
): Promise<Reply> {
  const { base, calls } = request;
  const appearance = await calls.get("getAppearance");
  const script = `${base}/console/assets/${islandOf("look.js").file}`;
  const shown = { appearance, typed: typed ?? typedOf(appearance), faults, isSaved };
  const view = { ...shown, script, sample: await renderSample(request), curl: calls.curl("getAppearance") };
  return page(Object.keys(faults).length ? 422 : 200, renderAppearance(base, signedIn(request), view));
}

/** POST: changes all of it, or nothing. */
async function save(request: VisitorRequest): Promise<Reply> {
  const { calls, fields, file } = request;
  // Before the fields: some come after it.
  const logo = file && (await bytesOf(file));
  const typed = {
    accentColor: fields("accentColor"),
    privacyUrl: fields("privacyUrl"),
    contactUrl: fields("contactUrl"),
    frameAncestors: fields("frameAncestors"),
  };
  const orNull = (text: string) => text.trim() || null;
  const logoFile = logo ? logo.toString("base64") : fields("removeLogo") ? null : undefined;
  try {
    const body = {
      accentColor: orNull(typed.accentColor),
      privacyUrl: orNull(typed.privacyUrl),
      contactUrl: orNull(typed.contactUrl),
      frameAncestors: typed.frameAncestors.split(/[\s,]+/).filter((origin) => origin !== ""),
      ...(logoFile !== undefined && { logoFile }),
    };
    await calls.send("changeAppearance", { body });
  } catch (error) {
    return show(request, { typed, faults: faultsOf(error, FIELDS) });
  }
  return show(request, { isSaved: true });
}

function typedOf({ accentColor, privacyUrl, contactUrl, frameAncestors }: Appearance): TypedAppearance {
  return {
    accentColor: accentColor ?? "",
    privacyUrl: privacyUrl ?? "",
    contactUrl: contactUrl ?? "",
    frameAncestors: frameAncestors.join("\n"),
  };
}

/** A file, as far as it shows whether it is too large; when all of its form is there. */
async function bytesOf({ bytes, rest }: FormFile): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    if (length <= MAX_LOGO_BYTES) chunks.push(chunk);
    length += chunk.length;
  }
  await rest;
  return Buffer.concat(chunks);
}
