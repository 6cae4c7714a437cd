// Shows on the page Appearance how pages would look with what is typed: on light screens and on dark ones. Without it the page
// shows what is saved.

import { type Tones, tonesOf } from "../../../appearance/accent.ts";

/** The service's own colour. */
const BLUE = "#1f4fa0";

const field = (id: string) => document.getElementById(id) as HTMLInputElement;
const [accent, picker, file] = [field("accentColor"), field("accentPicker"), field("logoFile")];

/** Where a logo is saved. */
const removal = document.getElementById("removeLogo") as HTMLInputElement | null;

/** The logo that was chosen, as a data URL. */
let logo: string | undefined;

/** What each page has had in the place of the logo. */
const saved = new WeakMap<Element, ChildNode[]>();

/** Empty: the service's own. Undefined: not a colour, or not yet. */
function typedAccent(): string | undefined {
  const typed = accent.value.trim().toLowerCase();
  return typed === "" || /^#[0-9a-f]{6}$/.test(typed) ? typed : undefined;
}

/** Gives a page the colours of a scheme, whatever the screen has. */
function choose(page: Document, scheme: string): void {
  page.documentElement.style.colorScheme = scheme;
  for (const rule of [...page.styleSheets].flatMap(({ cssRules }) => [...cssRules]))
    if ("media" in rule && (rule as CSSMediaRule).conditionText.includes("prefers-color-scheme"))
      (rule as CSSMediaRule).media.mediaText = scheme === "dark" ? "all" : "not all";
}

function paint(page: Document, tones: Tones | undefined): void {
  const { style } = page.documentElement;
  // The second one has the colours that are saved.
  const colors = page.styleSheets[1];
  if (colors) colors.disabled = true;
  for (const [name, value] of [
    ["--accent", tones?.accent],
    ["--accent-ink", tones?.ink],
    ["--accent-wash", tones?.wash],
  ] as const)
    if (value === undefined) style.removeProperty(name);
    else style.setProperty(name, value);
}

/** The chosen logo; without one, what is saved, or the name in its place. */
function showLogo(page: Document): void {
  const place = page.querySelector(".logo");
  if (!place) return;
  const now = saved.get(place) ?? [...place.childNodes];
  saved.set(place, now);
  if (logo !== undefined) place.replaceChildren(imageOf(page, logo));
  else if (removal?.checked) place.replaceChildren(nameIn(now));
  else place.replaceChildren(...now);
}

/** The name of the workspace: a logo has it for those who do not see it. */
const nameIn = ([first]: ChildNode[]): string => (first as HTMLImageElement).alt;

function imageOf(page: Document, source: string): HTMLImageElement {
  const image = page.createElement("img");
  image.src = source;
  // As large as the service makes it.
  image.style.maxWidth = "20rem";
  image.style.maxHeight = "4rem";
  image.alt = "The chosen logo";
  return image;
}

function show({ contentDocument: page, dataset }: HTMLIFrameElement): void {
  const color = typedAccent();
  if (!page?.querySelector(".main")) return;
  choose(page, dataset.scheme!);
  showLogo(page);
  if (color !== undefined) paint(page, color === "" ? undefined : tonesOf(color)[dataset.scheme as "light" | "dark"]);
}

const frames = document.querySelectorAll<HTMLIFrameElement>("iframe[data-scheme]");

function showAll(): void {
  for (const frame of frames) show(frame);
}

for (const frame of frames) frame.addEventListener("load", () => show(frame));
accent.addEventListener("input", () => {
  picker.value = typedAccent() || BLUE;
  showAll();
});
picker.addEventListener("input", () => {
  accent.value = picker.value;
  showAll();
});
file.addEventListener("change", () => {
  const [chosen] = file.files ?? [];
  logo = undefined;
  if (!chosen) return showAll();
  const reader = new FileReader();
  reader.addEventListener("load", () => {
    // Another one may have been chosen meanwhile.
    if (file.files?.[0] !== chosen) return;
    logo = String(reader.result);
    showAll();
  });
  reader.readAsDataURL(chosen);
});
removal?.addEventListener("change", showAll);
picker.value = typedAccent() || BLUE;
picker.hidden = false;
showAll();
