export { clipColumns } from "./clip.ts";
export { inTags } from "./fence.ts";
export { withoutFinalMark } from "./fit-line.ts";
export { fitsScript } from "./language.ts";
export { foldCase } from "./matching.ts";
export { baseName } from "./paths.ts";
export { safeText } from "./safe.ts";
export { cleanLine, cleanText } from "./sanitize.ts";
export { type ModelName, safeSessionId, shownLine, shownName } from "./shown-line.ts";
