// What text may hold: no U+0000, no lone surrogate, anywhere in what a caller sends.

/** Whether `text` can be stored and sent back as it is. */
export function isCleanText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

// In JSON that is valid UTF-8, bad text can only come from an escape.
const SUSPICIOUS_ESCAPE = /\\u(?:0000|d[89a-f])/i;

// Who nests deeply, or has long keys, is shown what is around the bad text, and not the whole way to it a hundred times.
const POINTER_LENGTH = 1000;

/** A value in a JSON document, and where it is. */
interface Place {
  value: unknown;
  key: string | number;
  parent: Place | undefined;
  pointer: string | undefined;
}

/**
 * JSON pointers of the strings (and keys) in `value` that hold U+0000 or a lone surrogate.
 * `json` is the text that `value` was parsed from: looking there first spares the walk in nearly every case.
 */
export function badTextPointers(json: string, value: unknown): string[] {
  if (!SUSPICIOUS_ESCAPE.test(json)) return [];
  const bad: string[] = [];
  // Not recursive: the nesting is the caller's. Pointers are put together only for what is bad.
  const stack: Place[] = [];
  const visit = (inner: unknown, key: string | number, parent: Place | undefined) => {
    if (typeof inner === "string" ? !isCleanText(inner) : typeof inner === "object" && inner !== null) {
      stack.push({ value: inner, key, parent, pointer: parent ? undefined : "" });
    }
  };
  visit(value, "", undefined);
  for (let place = stack.pop(); place; place = stack.pop()) {
    if (typeof place.value === "string") {
      bad.push(pointerTo(place));
    } else if (Array.isArray(place.value)) {
      for (let i = 0; i < place.value.length; i++) visit(place.value[i], i, place);
    } else {
      const members = place.value as Record<string, unknown>;
      for (const key of Object.keys(members)) {
        if (isCleanText(key)) visit(members[key], key, place);
        else bad.push(pointerTo(place));
      }
    }
  }
  return bad.reverse();
}

function pointerTo(place: Place): string {
  const way: Place[] = [];
  let pointer: string | undefined;
  for (let at: Place | undefined = place; at && pointer === undefined; at = at.parent) {
    pointer = at.pointer;
    if (pointer === undefined) way.push(at);
  }
  let path = pointer ?? "";
  for (const at of way.reverse()) {
    const key = escapePointer(at.key);
    if (path.length + key.length < POINTER_LENGTH) path = `${path}/${key}`;
    at.pointer = path;
  }
  return path;
}

/** A key as it stands in a JSON pointer (RFC 6901). */
export function escapePointer(key: string | number): string {
  return String(key).replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Text as HTML can hold it: without U+0000. Everything else is escaped when it is rendered. */
export function clean(text: string): string {
  return text.replaceAll("\0", "\uFFFD");
}

/** The number of characters (code points) in `text`. */
export function lengthOf(text: string): number {
  let surrogates = 0;
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) === 0xdc00) surrogates++;
  return text.length - surrogates;
}
