import { visibleWidth } from "@mariozechner/pi-tui";
import { clippingBy } from "../text/clip.ts";

/** The host's own measure of width, for everything that is drawn in the host: it exits over a line that it considers too wide. */
export const { displayWidth, clipColumns, clipSentence } = clippingBy(visibleWidth);
