import { fileURLToPath } from "node:url";

/** The project, with a slash at its end. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Where packed things go, with a slash at its end. */
export const DIST = `${ROOT}dist/`;
