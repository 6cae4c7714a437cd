// /workspace/images: the images that statements of studies show.

import { hash } from "node:crypto";
import { checkBody } from "../base/check-body.ts";
import { newId } from "../base/ids.ts";
import { Problem } from "../base/problems.ts";
import { type AnyEndpoint, type ApiRequest, created, defineEndpoint, found, ok } from "../http/endpoint.ts";
import { readJson } from "../http/wire/body.ts";
import { countImages, findImage, findImageByHash, type ImageRow, insertImage, wantImage } from "../images/queries.ts";
import { ImageView, imageExample, MAX_IMAGE_BYTES, MAX_IMAGES, NewImage, viewOf } from "../images/resource.ts";
import { appPath } from "../nouns/sessions/resource.ts";
import { writeOnce } from "../writes/write-once.ts";
import { encoded } from "./encoded.ts";

const tag = "Content";
const path = "/workspace/images";

/** In base64, and what is around it. */
const MAX_BODY_BYTES = Math.ceil(MAX_IMAGE_BYTES / 3) * 4 + 1024;

/** Two bars of grey. */
const EXAMPLE =
  "iVBORw0KGgoAAAANSUhEUgAAABgAAAAQCAAAAAApT+BJAAAAFElEQVR42mOIQgJbkADDqMRASAAAqbTKgQSx86EAAAAASUVORK5CYII=";

const create = defineEndpoint({
  method: "post",
  path,
  operationId: "createImage",
  scopes: ["author"],
  tag,
  summary: "Send an image for statements",
  description:
    "A PNG, JPEG or WebP image in base64, of at most 4 MiB and 16 million pixels. It is made anew from its pixels, in at most 1,280 × 1,920, as the " +
    "camera was held; nothing else of the file is kept. A statement of a draft names it by its `id`. An image never changes, and stays as long as a draft or a " +
    "publication shows it; one that nothing shows is removed after a week. What was sent before is the same image again.",
  body: NewImage,
  streamsBody: true,
  replies: {
    200: { description: "The image, which was there already", schema: ImageView },
    201: { description: "The new image", schema: ImageView, headers: { Location: "Its path" } },
  },
  examples: { image: { status: 201, body: { file: EXAMPLE }, reply: imageExample } },
  problems: ["image_limit"],
  async handle(request) {
    const { context, incoming, confirm } = request;
    const { value, bytes } = await readJson(incoming, Math.min(MAX_BODY_BYTES, context.config.importMaxBytes), confirm);
    if (request.idempotencyKey !== undefined) request.bodyHash = hash("sha256", bytes);
    const image = await encoded(request, {
      use: "statement",
      base64: checkBody(NewImage, value).file,
      pointer: "/file",
    });
    return writeOnce(request, (db, record) => {
      const known = findImageByHash(db, image.hash);
      const at = new Date();
      if (known) {
        wantImage(db, known.uid, at.getTime());
        return ok(json(request, known));
      }
      if (countImages(db) >= MAX_IMAGES)
        throw new Problem("image_limit", { detail: `A workspace has at most ${MAX_IMAGES} images.` });
      const uid = newId();
      insertImage(db, uid, image, at.getTime());
      const { width, height } = image;
      const resource = { type: "Image", uid };
      record({ type: "image.created", resource, summary: { width, height, bytes: image.bytes.length }, at });
      return created(json(request, findImage(db, uid)!), `${path}/${uid}`);
    });
  },
});

const read = defineEndpoint({
  method: "get",
  path: `${path}/:id`,
  operationId: "getImage",
  scopes: ["read"],
  tag,
  summary: "Get an image",
  description: "Its `url` needs no credentials.",
  replies: { 200: { description: "The image", schema: ImageView } },
  examples: { image: { reply: imageExample } },
  problems: ["image_not_found"],
  handle(request) {
    const { context, params, principal } = request;
    const row = context.workspaces.read(principal.workspaceUid, (db) => findImage(db, params.id!));
    return ok(json(request, found(row, "image_not_found")));
  },
});

function json({ context, principal }: ApiRequest, row: ImageRow): string {
  const folder = `${context.config.publicUrl}${appPath(context.cell, principal.workspaceUid)}/image`;
  return JSON.stringify(viewOf(row, folder));
}

export const imageRoutes: AnyEndpoint[] = [create, read];
