// What a person has typed or pasted is shown again with what is wrong with it, unless it is too long for that.

/** In UTF-16 code units. To escape a longer text, and send it back, would hold up other requests. */
const MAX_SHOWN_AGAIN = 64 * 1024;

/** The text as its field shows it again. Undefined: it is too long for that, and the page says so. */
export function shownAgain(text: string): string | undefined {
  return text.length > MAX_SHOWN_AGAIN ? undefined : text;
}
