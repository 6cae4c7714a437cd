// The stylesheet and the icon of participants' pages.

import { loadIcon, loadStyle } from "../http/page-assets.ts";

export const style = loadStyle("src/participant-page/style.css");
export const icon = loadIcon("src/participant-page/icon.svg");
