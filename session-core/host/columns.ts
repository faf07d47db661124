import { visibleWidth } from "@mariozechner/pi-tui";
import { clippingBy, wrappingBy } from "../text/clip.ts";

/** Measures widths with the host's own functions, because the host exits if a line is too wide according to these functions. */
export const { displayWidth, clipColumns, clipSentence } = clippingBy(visibleWidth);
export const wrapColumns = wrappingBy({ displayWidth, clipColumns });
