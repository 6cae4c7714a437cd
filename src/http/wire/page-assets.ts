// Stylesheets, icons and scripts of pages for people, sent by this service. Their names contain a hash of their content, so that a browser
// fetches each version once.

import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, extname } from "node:path";
import { promisify } from "node:util";
import { constants, gzip, zstdCompress } from "node:zlib";
import { ROOT } from "../../../db/root.ts";
import { choiceOf, MIN_COMPRESSED_BYTES } from "./codings.ts";
import type { Reply } from "./reply.ts";

export interface Asset {
  /** Its file name in a URL. */
  file: string;
  type: string;
  bytes: Buffer;
}

/** A stylesheet: what all pages share, then the file. @param path from the project's root @param more CSS to append */
export function loadStyle(path: string, ...more: string[]): Asset {
  return named(path, "text/css", Buffer.from(styleOf(path, ...more)));
}

/** An inline stylesheet or script, and the source by which the policy of the page allows exactly that. */
export interface Inline {
  text: string;
  /** Of a content security policy. */
  source: string;
}

export function inline(text: string): Inline {
  return { text, source: `'sha256-${hash("sha256", text, "base64")}'` };
}

/** A stylesheet for the page itself, after what all pages share. @param path from the project's root */
export function loadInlineStyle(path: string): Inline {
  return inline(styleOf(path));
}

/** Stylesheets after what all pages share, without comments, blanks, and zeros before decimals. */
function styleOf(...paths: string[]): string {
  return Buffer.concat(["src/http/page.css", ...paths].map(read))
    .toString("utf8")
    .replaceAll(/\/\*.*?\*\//gs, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{};,>~]) ?/g, "$1")
    .replaceAll(": ", ":")
    .replaceAll(/(?<![\w.])0(?=\.\d)/g, "")
    .replaceAll(";}", "}")
    .trim();
}

/** A script for the page itself, without whole lines of comment and the blanks that begin lines. @param path from the project's root */
export function loadInlineScript(path: string): Inline {
  const text = read(path).toString("utf8");
  return inline(
    text
      .replaceAll(/^\s*\/\/.*$/gm, "")
      .replaceAll(/\n\s*/g, "\n")
      .trim(),
  );
}

/** The same stylesheet as a file. */
export function fileOf(path: string, { text }: Inline): Asset {
  return named(path, "text/css", Buffer.from(text));
}

export function loadIcon(path: string): Asset {
  return named(path, "image/svg+xml", read(path));
}

/** A script as it is. */
export function loadScript(path: string): Asset {
  return scriptOf(path, read(path));
}

/** A script with this name. */
export function scriptOf(path: string, bytes: Buffer): Asset {
  return named(path, "text/javascript", bytes);
}

/**
 * The asset with that file name. It is also found by the hash of another version: a page from an older or newer process
 * needs a stylesheet, too.
 */
function findAsset(assets: readonly Asset[], requested: string): { asset: Asset; isCurrent: boolean } | undefined {
  const [, name, extension] = /^(\w+)\.[0-9a-f]{16}\.(\w+)$/.exec(requested) ?? [];
  const asset = assets.find(({ file }) => file.startsWith(`${name}.`) && file.endsWith(`.${extension}`));
  return asset && { asset, isCurrent: asset.file === requested };
}

function named(path: string, type: string, bytes: Buffer): Asset {
  const extension = extname(path);
  return { file: `${basename(path, extension)}.${hash("sha256", bytes).slice(0, 16)}${extension}`, type, bytes };
}

function read(path: string): Buffer {
  return readFileSync(new URL(path, ROOT));
}

/** By coding: compresses as far as it can, outside the event loop. It is done once for each asset, so it may take a while. */
const SMALLEST: Record<string, (bytes: Buffer) => Promise<Buffer>> = {
  gzip: promisify(gzip),
  zstd: (bytes) => promisify(zstdCompress)(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 19 } }),
};

/** Assets that somebody has asked for, by their files and codings. */
const compressed = new Map<string, Promise<Buffer>>();

function compressedOnce(asset: Asset, coding: string, encode: (bytes: Buffer) => Promise<Buffer>): Promise<Buffer> {
  const name = `${asset.file} ${coding}`;
  const bytes = compressed.get(name) ?? encode(asset.bytes);
  compressed.set(name, bytes);
  return bytes;
}

/** The reply with an asset; undefined when none has that name. @param accepted the header Accept-Encoding */
export async function replyWithAsset(
  assets: readonly Asset[],
  requested: string,
  accepted: string | string[] | undefined,
): Promise<Reply | undefined> {
  const found = findAsset(assets, requested);
  if (!found) return undefined;
  const { asset, isCurrent } = found;
  const caching = isCurrent ? "public, max-age=31536000, immutable" : "no-cache";
  const reply: Reply = { status: 200, type: asset.type, body: asset.bytes, headers: { "Cache-Control": caching } };
  const { coding = "" } = choiceOf(accepted);
  const encode = asset.bytes.length >= MIN_COMPRESSED_BYTES ? SMALLEST[coding] : undefined;
  if (!encode) return reply;
  const body = await compressedOnce(asset, coding, encode);
  return { ...reply, body, headers: { ...reply.headers, "Content-Encoding": coding } };
}
