import { visibleWidth } from "@mariozechner/pi-tui";
import { clippingBy } from "../text/clip.ts";

/**
 * Uses the host's own measure of width for everything drawn in the host, because the host exits if it
 * considers a line too wide.
 */
export const { displayWidth, clipColumns, clipSentence } = clippingBy(visibleWidth);
