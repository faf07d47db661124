export { FOREIGN, formatCondition } from "./format.ts";
export { openLeases } from "./live.ts";
export { logFolders, wantedFormats } from "./places.ts";
