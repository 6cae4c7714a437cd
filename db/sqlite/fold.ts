// Folds texts so that spellings of one name compare as equal: upper and lower case, accents, full-width letters, invisible
// characters. Each code point is folded by itself, so that what is found leads back to the text.

/** Letters that Unicode does not take apart. */
const LETTERS: Record<string, string> = {
  ß: "ss",
  ẞ: "SS",
  ø: "o",
  Ø: "O",
  ł: "l",
  Ł: "L",
  đ: "d",
  Đ: "D",
  ı: "i",
  æ: "ae",
  Æ: "Ae",
  œ: "oe",
  Œ: "Oe",
  "’": "'",
  ʼ: "'",
  "‘": "'",
  ى: "ي",
};

/** Accents of Latin, Greek and Cyrillic, Arabic and Hebrew vowels; what is not seen. Vowels of other scripts are no accents. */
const UNHEARD = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c7\u0640\u064b-\u065f\u0670\p{Cf}]/gu;
const DASHES = /^\p{Pd}$/u;
const SPACES = /\s/gu;
// Only these are folded to themselves, but for the case.
const ASCII = /^[ -~]*$/;

/** A folded text that keeps upper case. The unit `i` comes from the text's units from `starts[i]` to `ends[i]`. */
interface Folded {
  text: string;
  starts: Uint32Array;
  ends: Uint32Array;
}

/** With upper and lower case. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text;
  let folded = "";
  for (const sign of text.normalize("NFKC")) folded += foldSign(sign);
  return folded;
}

/** A folded text without upper case: it has the same length. */
export function lowerOf(folded: string): string {
  return folded.toLowerCase().replaceAll("ς", "σ");
}

export function foldWithPositions(text: string): Folded {
  const starts: number[] = [];
  const ends: number[] = [];
  let folded = "";
  let at = 0;
  for (const sign of text) {
    const one = foldSign(sign);
    for (let i = 0; i < one.length; i++) {
      starts.push(at);
      ends.push(at + sign.length);
    }
    folded += one;
    at += sign.length;
  }
  return { text: folded, starts: Uint32Array.from(starts), ends: Uint32Array.from(ends) };
}

const known = new Map<string, string>();
const MAX_KNOWN = 5000;

function foldSign(sign: string): string {
  const found = known.get(sign);
  if (found !== undefined) return found;
  const folded = folding(sign);
  if (known.size < MAX_KNOWN) known.set(sign, folded);
  return folded;
}

function folding(sign: string): string {
  if (DASHES.test(sign)) return "-";
  const plain = sign.normalize("NFKD").replace(UNHEARD, "").normalize("NFC").replace(SPACES, " ");
  const letters = [...plain].map((one) => LETTERS[one] ?? one).join("");
  // A few letters are longer in lower case: then they are folded to that.
  return letters.toLowerCase().length === letters.length ? letters : letters.toLowerCase();
}
