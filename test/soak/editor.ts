import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Sandbox } from "../host/sandbox.ts";

/** Shown by the external editor. Enter leaves it. */
export const EDITING = "[editor: Enter to leave]";

/** Environment of a host with an external editor that does not change the text. */
export function placeEditor({ root }: Pick<Sandbox, "root">): Record<string, string> {
	const path = join(root, "editor.sh");
	writeFileSync(path, `printf '%s' '${EDITING}'\nread -r _\n`);
	return { EDITOR: `sh ${path}` };
}
