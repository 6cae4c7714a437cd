// The resource Image: an image that statements of studies show.

import * as v from "valibot";
import { exampleIds } from "../base/examples.ts";
import { closedObject, count, uuid } from "../base/schemas.ts";
import type { ImageRow } from "./queries.ts";

/** Of the file. */
export const MAX_IMAGE_BYTES = 4 * 1024 * 1024;

/** In a workspace. */
export const MAX_IMAGES = 5000;

/** A file in JSON. */
export function fileInBase64(maxBytes: number, description: string) {
  const maxLength = Math.ceil(maxBytes / 3) * 4;
  const most = maxBytes < 1024 * 1024 ? `${maxBytes / 1024} KiB` : `${maxBytes / 1024 / 1024} MiB`;
  return v.pipe(
    v.string("must be a string"),
    v.metadata({ maxLength, description }),
    v.check((text) => text.length <= maxLength, `must be a file of at most ${most}`),
    v.check((text) => /^[A-Za-z0-9+/]*={0,2}$/.test(text), "must be base64"),
  );
}

export const ImageView = v.pipe(
  v.object({
    _type: v.literal("Image"),
    id: uuid,
    url: v.pipe(v.string(), v.description("Of a WebP file, which never changes")),
    width: v.pipe(count, v.description("In pixels of the file. It is shown in half of it, or smaller")),
    height: count,
    bytes: v.pipe(count, v.description("Of the file")),
  }),
  v.title("Image"),
);

export const NewImage = v.pipe(
  closedObject({ file: fileInBase64(MAX_IMAGE_BYTES, "A PNG, JPEG or WebP image in base64") }),
  v.title("NewImage"),
);

/** The file name of an image. */
export function imageFile(id: string): string {
  return `${id}.webp`;
}

/** @param folder the address of the workspace's images */
export function viewOf({ uid, width, height, size }: ImageRow, folder: string): v.InferOutput<typeof ImageView> {
  return { _type: "Image", id: uid, url: `${folder}/${imageFile(uid)}`, width, height, bytes: size };
}

export const imageExample: v.InferOutput<typeof ImageView> = {
  _type: "Image",
  id: exampleIds.image,
  url: `https://studies.example.org/w/0192f0c1-0000-7000-8000-000000000000/image/${imageFile(exampleIds.image)}`,
  width: 24,
  height: 16,
  bytes: 60,
};
