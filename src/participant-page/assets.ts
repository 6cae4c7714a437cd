// The stylesheet and the icon of participants' pages.

import { inline, loadIcon, loadInlineStyle, loadStyle } from "../http/page-assets.ts";

/** In the page itself: a stylesheet of its own would have a phone on a slow network wait once more. */
export const style = loadInlineStyle("src/participant-page/style.css");

/** The same as a file, for pages of version 1.0, which people may have open. */
export const formerStyle = loadStyle("src/participant-page/style.css");

/** Gives a page that a link, as it was sent, has shown at once an address of its own. Else the browser's way back would lead to the link, and that to the page that comes next. */
export const addressScript = inline('history.replaceState(null,"",document.currentScript.dataset.address)');

export const icon = loadIcon("src/participant-page/icon.svg");
