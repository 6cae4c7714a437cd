// An accent colour as it can be read: made darker for light pages and lighter for dark ones, until all text has a contrast of 7 (WCAG 2.2, 1.4.6).

type Rgb = readonly [number, number, number];

/** The smallest contrast of text. */
export const MIN_CONTRAST = 7;

/** Colours of src/http/page.css that accents stand on, or that stand on accents. */
const LIGHT = { ground: "#f4f3ef", sheet: "#ffffff", ink: "#1d2430", accentInk: "#ffffff", washShare: 0.06 };
const DARK = { ground: "#12151a", sheet: "#1b2027", ink: "#e9ecf1", accentInk: "#12151a", washShare: 0.12 };

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];
const STEPS = 200;

/** The colours of a scheme that follow from the accent. */
export interface Tones {
  accent: string;
  /** Of text on the accent. */
  ink: string;
  /** Behind text, where something is chosen. */
  wash: string;
}

/** The tones for light pages and for dark ones. @param color `#rrggbb` */
export function tonesOf(color: string): { light: Tones; dark: Tones } {
  return { light: readable(color, LIGHT, BLACK), dark: readable(color, DARK, WHITE) };
}

/** The contrast between two colours (WCAG 2.2): from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function readable(color: string, on: typeof LIGHT, end: Rgb): Tones {
  for (let step = 0; step < STEPS; step++) {
    const accent = mix(rgbOf(color), end, step / STEPS);
    const wash = mix(rgbOf(on.sheet), rgbOf(accent), on.washShare);
    const pairs = [on.ground, on.sheet, wash, on.accentInk].map((ground) => [accent, ground] as const);
    if ([...pairs, [on.ink, wash] as const].every(([text, ground]) => contrast(text, ground) >= MIN_CONTRAST))
      return { accent, ink: on.accentInk, wash };
  }
  throw new Error(`${color} can't be made readable.`);
}

function mix(from: Rgb, to: Rgb, share: number): string {
  const parts = from.map((value, index) => Math.round(value + (to[index]! - value) * share));
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

function rgbOf(color: string): Rgb {
  const number = Number.parseInt(color.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

function luminance(color: string): number {
  const [red, green, blue] = rgbOf(color).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
