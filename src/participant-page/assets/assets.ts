// The stylesheet, the icon and the scripts of participants' pages.

import { fileOf, inline, loadIcon, loadInlineScript, loadInlineStyle } from "../../http/wire/page-assets.ts";

const PATH = "src/participant-page/style.css";

/** In the first page itself: a file would have a phone on a slow network wait once more. */
export const style = loadInlineStyle(PATH);
/** The pages after it need it again, and have it from here: the first page has fetched it, without waiting. */
export const styleFile = fileOf(PATH, style);

export const icon = loadIcon("src/participant-page/icon.svg");

/**
 * Gives a page that a link, as it was sent, has shown at once an address of its own. Else the browser's way back would lead to the
 * link, and that to the page that comes next.
 */
export const addressScript = inline('history.replaceState(null,"",document.currentScript.dataset.address)');

/** For pages in frames of other sites. */
export const frameScript = loadInlineScript("src/participant-page/frame.js");

export const menuScript = loadInlineScript("src/participant-page/menu-search.js");
