import { visibleWidth } from "@mariozechner/pi-tui";
import { clippingBy } from "../text/clip.ts";

/** For what is drawn in the host: its own measure, because it ends itself over a line that it finds too wide. */
export const { displayWidth, clipColumns, clipSentence } = clippingBy(visibleWidth);
