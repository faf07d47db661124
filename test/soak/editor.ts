import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Sandbox } from "../host/sandbox.ts";

/** What the external editor shows; Enter leaves it. */
export const EDITING = "[editor: Enter to leave]";

/** Environment of a host whose external editor leaves the text as it is. */
export function placeEditor({ root }: Pick<Sandbox, "root">): Record<string, string> {
	const path = join(root, "editor.sh");
	writeFileSync(path, `printf '%s' '${EDITING}'\nread -r _\n`);
	return { EDITOR: `sh ${path}` };
}
