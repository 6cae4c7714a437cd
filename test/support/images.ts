// Images for tests: a pattern, as a PNG, JPEG or WebP; and a drawing with a script.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { resolve } = createRequire(import.meta.url);
const optionsOf = (file: string) => ({ wasmBinary: readFileSync(resolve(file)) }) as object;

function pattern(width: number, height: number): ImageData {
  const data = new Uint8ClampedArray(width * height * 4).map((_, at) => (at % 4 === 3 ? 255 : (at * 7) % 256));
  return { data, width, height } as ImageData;
}

export function png(width: number, height: number): Promise<Buffer> {
  return asPng(pattern(width, height));
}

/** A large image in a small file. */
export function blank(width: number, height: number): Promise<Buffer> {
  return asPng({ data: new Uint8ClampedArray(width * height * 4), width, height } as ImageData);
}

async function asPng(image: ImageData): Promise<Buffer> {
  const { init, default: encode } = await import("@jsquash/png/encode.js");
  await init(readFileSync(resolve("@jsquash/png/codec/pkg/squoosh_png_bg.wasm")));
  return Buffer.from(await encode(image));
}

export async function jpeg(width: number, height: number): Promise<Buffer> {
  const { init, default: encode } = await import("@jsquash/jpeg/encode.js");
  await init(optionsOf("@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm"));
  return Buffer.from(await encode(pattern(width, height)));
}

export async function webp(width: number, height: number): Promise<Buffer> {
  const { init, default: encode } = await import("@jsquash/webp/encode.js");
  await init(optionsOf("@jsquash/webp/codec/enc/webp_enc.wasm"));
  return Buffer.from(await encode(pattern(width, height)));
}

export const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
