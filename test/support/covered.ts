// Whether what has the focus can be seen: by geometry, with each element that the keyboard leads to.

import type { Page } from "playwright-core";

/** So many controls no page has. */
export const MAX_STOPS = 150;

/** What covers the element that has the focus: sticky or fixed elements that it is not in. */
const COVERING = `(() => {
  const focused = document.activeElement;
  if (!focused || focused === document.body || focused.tagName === "IFRAME") return [];
  const at = focused.getBoundingClientRect();
  return [...document.querySelectorAll("body *")].filter((one) => {
    if (!["sticky", "fixed"].includes(getComputedStyle(one).position) || one.contains(focused) || focused.contains(one)) return false;
    const over = one.getBoundingClientRect();
    return Math.min(at.right, over.right) - Math.max(at.left, over.left) > 1
      && Math.min(at.bottom, over.bottom) - Math.max(at.top, over.top) > 1;
  }).map((one) => one.className + " over " + (focused.id || focused.textContent));
})()`;

/** Goes through a page with a key, from its beginning or its end. @returns how often it was pressed, and what stood below something then */
export async function walk(page: Page, key: "Tab" | "Shift+Tab"): Promise<{ stops: number; covered: string[] }> {
  await page.evaluate("document.activeElement.blur()");
  const covered: string[] = [];
  let stops = 0;
  do {
    await page.keyboard.press(key);
    covered.push(...(await page.evaluate<string[]>(COVERING)));
    stops++;
  } while (stops < MAX_STOPS && !(await page.evaluate("document.activeElement === document.body")));
  return { stops, covered };
}
