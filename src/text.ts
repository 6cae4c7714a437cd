// What text may hold: no U+0000, no lone surrogate, anywhere in what a caller sends.

/** Whether `text` can be stored and sent back as it is. */
export function isCleanText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

// In JSON that is valid UTF-8, bad text can only come from an escape.
const SUSPICIOUS_ESCAPE = /\\u(?:0000|d[89a-f])/i;

/**
 * JSON pointers of the strings (and keys) in `value` that hold U+0000 or a lone surrogate.
 * `json` is the text that `value` was parsed from: looking there first spares the walk in nearly every case.
 */
export function badTextPointers(json: string, value: unknown): string[] {
  if (!SUSPICIOUS_ESCAPE.test(json)) return [];
  const bad: string[] = [];
  // Not recursive: the nesting is the caller's.
  const stack: { pointer: string; value: unknown }[] = [{ pointer: "", value }];
  for (let item = stack.pop(); item; item = stack.pop()) {
    if (typeof item.value === "string") {
      if (!isCleanText(item.value)) bad.push(item.pointer);
    } else if (typeof item.value === "object" && item.value !== null) {
      for (const [key, inner] of Object.entries(item.value)) {
        if (isCleanText(key)) stack.push({ pointer: `${item.pointer}/${escapePointer(key)}`, value: inner });
        else bad.push(item.pointer);
      }
    }
  }
  return bad.reverse();
}

/** A key as it stands in a JSON pointer (RFC 6901). */
export function escapePointer(key: string | number): string {
  return String(key).replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The number of characters (code points) in `text`. */
export function lengthOf(text: string): number {
  let surrogates = 0;
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) === 0xdc00) surrogates++;
  return text.length - surrogates;
}
