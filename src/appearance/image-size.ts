// Reads what an image is and how large, from its first bytes: nothing is decoded that is too large, or is no image.

export type ImageKind = "png" | "jpeg" | "webp";

interface ImageSize {
  kind: ImageKind;
  width: number;
  height: number;
}

/** @returns undefined for what is no PNG, JPEG or WebP, or has no size */
export function imageSizeOf(bytes: Buffer): ImageSize | undefined {
  const size = sizeOf(bytes);
  return size && size.width > 0 && size.height > 0 ? size : undefined;
}

/** Whether it is a drawing as text. */
export function isSvg(bytes: Buffer): boolean {
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
