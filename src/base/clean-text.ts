// The rules for text from callers: it must have no U+0000 and no lone surrogate.

/** Whether `text` can be stored and sent back unchanged. */
export function isCleanText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

// In JSON that is valid UTF-8, bad text can only come from an escape.
const SUSPICIOUS_ESCAPE = /\\u(?:0000|d[89a-f])/i;

// JSON with deep nesting or long keys would make pointers long, up to a hundred times in one answer. A pointer leaves out
// the keys that do not fit.
const MAX_POINTER_LENGTH = 1000;

/** A value in a JSON document, with its key and its parent. `pointer` is undefined until it is needed. */
interface JsonNode {
  value: unknown;
  key: string | number;
  parent: JsonNode | undefined;
  pointer: string | undefined;
}

/**
 * JSON pointers of the strings in `value` that have U+0000 or a lone surrogate; for a bad key, the pointer of its object.
 * @param json the text that `value` was parsed from. A search in it makes the walk unnecessary in nearly every case
 */
export function badTextPointers(json: string, value: unknown): string[] {
  // The search for a plain text is ten times as fast.
  if (!json.includes("\\u") || !SUSPICIOUS_ESCAPE.test(json)) return [];
  const bad: string[] = [];
  // Not recursive, because the caller decides how deep the nesting is. Pointers are made only for bad text.
  const stack: JsonNode[] = [];
  const visit = (inner: unknown, key: string | number, parent: JsonNode | undefined) => {
    if (typeof inner === "string" ? !isCleanText(inner) : typeof inner === "object" && inner !== null) {
      stack.push({ value: inner, key, parent, pointer: parent ? undefined : "" });
    }
  };
  visit(value, "", undefined);
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (typeof node.value === "string") {
      bad.push(pointerTo(node));
    } else if (Array.isArray(node.value)) {
      for (let i = 0; i < node.value.length; i++) visit(node.value[i], i, node);
    } else {
      const members = node.value as Record<string, unknown>;
      for (const key of Object.keys(members)) {
        if (isCleanText(key)) visit(members[key], key, node);
        else bad.push(pointerTo(node));
      }
    }
  }
  return bad.reverse();
}

function pointerTo(node: JsonNode): string {
  const unnamed: JsonNode[] = [];
  let pointer: string | undefined;
  for (let at: JsonNode | undefined = node; at && pointer === undefined; at = at.parent) {
    pointer = at.pointer;
    if (pointer === undefined) unnamed.push(at);
  }
  let path = pointer ?? "";
  for (const at of unnamed.reverse()) {
    const key = escapePointer(at.key);
    if (path.length + key.length < MAX_POINTER_LENGTH) path = `${path}/${key}`;
    at.pointer = path;
  }
  return path;
}

/** Escapes a key for a JSON pointer (RFC 6901). */
export function escapePointer(key: string | number): string {
  return String(key).replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Text for HTML, which can't have U+0000. Rendering escapes everything else. */
export function clean(text: string): string {
  return text.replaceAll("\0", "\uFFFD");
}

/** The number of characters (code points) in `text`. */
export function lengthOf(text: string): number {
  let surrogates = 0;
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) === 0xdc00) surrogates++;
  return text.length - surrogates;
}

/** Characters that nobody sees, and that change the direction of what follows: an address could seem to be another one. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A web address that somebody has typed or pasted, without what it can't begin or end with, and without directions. */
export function typedAddress(text: string): string {
  return text.replaceAll(DIRECTIONS, "").trim();
}
