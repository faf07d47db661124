import { visibleWidth } from "@mariozechner/pi-tui";
import { clippingBy } from "../text/clip.ts";

/** Measures widths with the host's own functions, because the host exits if a line is too wide according to these functions. */
export const hostColumns = clippingBy(visibleWidth);
