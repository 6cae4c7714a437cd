// Makes an image anew from its pixels, so that nothing else of the file is left: no text, location, profile or script. A thread does this.
//
// The decoders are WebAssembly: what a broken file does to one stays in its memory. They are loaded when the first image comes.

import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { SideTask } from "../engine/threads/side-task.ts";

const MAX_SIDE = 8192;

/** What an image is for. */
interface Use {
  maxPixels: number;
  /** In pixels: shown in half of it, and sharp on screens with two pixels for one. */
  shown: { width: number; height: number };
  quality: number;
  /** Whether a photo is turned as its camera was held. */
  isTurned: boolean;
}

const USES = {
  logo: { maxPixels: 4_000_000, shown: { width: 640, height: 128 }, quality: 90, isTurned: false },
  statement: { maxPixels: 16_000_000, shown: { width: 1280, height: 1920 }, quality: 82, isTurned: true },
} satisfies Record<string, Use>;

export interface Image {
  bytes: Uint8Array;
  /** SHA-256 of the bytes, cut to 32 characters. */
  hash: string;
  width: number;
  height: number;
}

interface Sent {
  use: keyof typeof USES;
  bytes: Uint8Array;
}

/** The image as WebP; or what is wrong with the file, after its name. */
type Encoded = { image: Image } | { fault: string };

interface Pixels {
  /** Red, green, blue and opacity of each. */
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

export const encodeImage: SideTask<Sent, Encoded> = {
  name: "encode-image",
  async perform(_, sent) {
    const { maxPixels, shown, quality, isTurned } = USES[sent.use];
    const bytes = Buffer.from(sent.bytes);
    const size = imageSizeOf(bytes);
    if (!size) {
      const reason = isSvg(bytes) ? " (an SVG may have scripts in it: save it as a PNG)" : "";
      return { fault: `must be a PNG, JPEG or WebP image${reason}` };
    }
    const { kind, width, height } = size;
    const passed = [
      ...(width * height > maxPixels ? [`${maxPixels / 1_000_000} million pixels`] : []),
      ...(Math.max(width, height) > MAX_SIDE ? [`${MAX_SIDE} pixels on a side`] : []),
    ];
    if (passed.length)
      return { fault: `must have at most ${passed.join(", and at most ")}; it has ${width} × ${height}` };
    const pixels = await decoded(kind, bytes, isTurned);
    if (!pixels || pixels.width * pixels.height !== width * height)
      return { fault: `is broken: its ${kind.toUpperCase()} data can't be read` };
    const fitting = shrunk(pixels, shown);
    const made = await encodeWebp(fitting, quality);
    return {
      image: { bytes: made, hash: hash("sha256", made).slice(0, 32), width: fitting.width, height: fitting.height },
    };
  },
};

const { resolve } = createRequire(import.meta.url);
/** Of modules by Emscripten. What we return says what is wrong with a file. */
const optionsOf = (file: string) => ({ wasmBinary: readFileSync(resolve(file)), print: () => {}, printErr: () => {} });

async function decoded(kind: ImageKind, bytes: Buffer, isTurned: boolean): Promise<Pixels | undefined> {
  // The decoders of browsers make it.
  (globalThis as { ImageData?: unknown }).ImageData ??= PlainPixels;
  const decode = await decoderOf(kind, isTurned);
  try {
    return await decode(new Uint8Array(bytes).buffer);
  } catch {
    return undefined;
  }
}

class PlainPixels implements Pixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;

  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data;
    this.width = width;
    this.height = height;
  }
}

async function decoderOf(kind: ImageKind, isTurned: boolean): Promise<(bytes: ArrayBuffer) => Promise<Pixels>> {
  if (kind === "png") {
    const { init, decode } = await import("@jsquash/png/decode.js");
    await init(readFileSync(resolve("@jsquash/png/codec/pkg/squoosh_png_bg.wasm")));
    return (bytes) => decode(bytes);
  }
  if (kind === "jpeg") {
    const { init, default: decode } = await import("@jsquash/jpeg/decode.js");
    await init(optionsOf("@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm") as object);
    return (bytes) => decode(bytes, { preserveOrientation: isTurned });
  }
  const { init, default: decode } = await import("@jsquash/webp/decode.js");
  await init(optionsOf("@jsquash/webp/codec/dec/webp_dec.wasm") as object);
  return (bytes) => decode(bytes);
}

async function encodeWebp(pixels: Pixels, quality: number): Promise<Uint8Array> {
  const { init, default: encode } = await import("@jsquash/webp/encode.js");
  await init(optionsOf("@jsquash/webp/codec/enc/webp_enc.wasm") as object);
  return new Uint8Array(await encode(pixels as ImageData, { quality }));
}

/** The image in the size in which it is shown: each pixel is the mean of those that it stands for, by their opacity. */
function shrunk(from: Pixels, shown: Use["shown"]): Pixels {
  const scale = Math.min(1, shown.width / from.width, shown.height / from.height);
  if (scale === 1) return from;
  const width = Math.max(1, Math.round(from.width * scale));
  const height = Math.max(1, Math.round(from.height * scale));
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      data.set(meanOf(from, x / width, y / height, (x + 1) / width, (y + 1) / height), (y * width + x) * 4);
  return { data, width, height };
}

/** The mean of a part of an image, whose corners are shares of its width and height. */
function meanOf({ data, width, height }: Pixels, left: number, top: number, right: number, bottom: number): number[] {
  const [fromX, fromY] = [Math.floor(left * width), Math.floor(top * height)];
  const [toX, toY] = [Math.max(fromX + 1, Math.floor(right * width)), Math.max(fromY + 1, Math.floor(bottom * height))];
  const sum = [0, 0, 0];
  let opacity = 0;
  for (let y = fromY; y < toY; y++)
    for (let x = fromX; x < toX; x++) {
      const at = (y * width + x) * 4;
      const weight = data[at + 3]!;
      for (let part = 0; part < 3; part++) sum[part]! += data[at + part]! * weight;
      opacity += weight;
    }
  const colour = sum.map((one) => (opacity ? one / opacity : 0));
  return [...colour, opacity / ((toX - fromX) * (toY - fromY))];
}

// What an image is and how large, from its first bytes: nothing is decoded that is too large, or is no image.

type ImageKind = "png" | "jpeg" | "webp";

interface ImageSize {
  kind: ImageKind;
  width: number;
  height: number;
}

/** @returns undefined for what is no PNG, JPEG or WebP, or has no size */
function imageSizeOf(bytes: Buffer): ImageSize | undefined {
  const size = sizeOf(bytes);
  return size && size.width > 0 && size.height > 0 ? size : undefined;
}

/** Whether it is a drawing as text. */
function isSvg(bytes: Buffer): boolean {
  return /<(?:!doctype\s+)?(?:\w+:)?svg\b/i.test(bytes.subarray(0, 4096).toString("latin1").replaceAll("\0", ""));
}

function sizeOf(bytes: Buffer): ImageSize | undefined {
  const text = (from: number, to: number) => bytes.toString("latin1", from, to);
  try {
    if (text(0, 8) === "\x89PNG\r\n\x1a\n" && text(12, 16) === "IHDR")
      return { kind: "png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
    if (text(0, 3) === "\xff\xd8\xff") return jpegSize(bytes);
    if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return webpSize(bytes, text(12, 16));
    return undefined;
  } catch (error) {
    // It is cut off.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The frame's header (ITU T.81, B.2.2) comes after other segments, each with its length. */
function jpegSize(bytes: Buffer): ImageSize | undefined {
  let at = 2;
  while (bytes.readUInt8(at) === 0xff) {
    const marker = bytes.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { kind: "jpeg", width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** RFC 9649: one of three kinds of chunks comes first. */
function webpSize(bytes: Buffer, chunk: string): ImageSize | undefined {
  if (chunk === "VP8X")
    return { kind: "webp", width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3) };
  if (chunk === "VP8 ")
    return { kind: "webp", width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (chunk !== "VP8L") return undefined;
  const bits = bytes.readUInt32LE(21);
  return { kind: "webp", width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
}
