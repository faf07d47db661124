import { createHash } from "node:crypto";
import { basename } from "node:path";

/** The host names a session's file for its time and its id: no other session has that name. */
const HOST_NAME = /^[\w.-]{1,120}_[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.jsonl$/;

/** What a session is marked by: its file's name where that is its own, so that a moved folder keeps its marks, else its path. */
export function markOf(path: string): string {
	const name = basename(path);
	return HOST_NAME.test(name) ? name : createHash("sha256").update(path).digest("hex").slice(0, 40);
}
