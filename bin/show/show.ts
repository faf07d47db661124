import { clipColumns } from "../../session-core/text/clip.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { findSession } from "../sessions/find.ts";
import { sessionJson } from "../sessions/json.ts";
import { LiveSessions } from "../sessions/state.ts";
import { DONE, FAILED, NOT_FOUND } from "../shell/exit.ts";
import { printJson } from "../shell/json.ts";
import type { World } from "../shell/world.ts";
import { readCard } from "./read.ts";
import { cardLines, cardMarkdown } from "./text.ts";

const WHICH = "pi-sessions show: which session? pi-sessions show <title|id>; pi-sessions list lists them.\n";

/** `pi-sessions show` */
export async function show(
	wanted: string,
	{ json, markdown }: { json?: boolean | undefined; markdown?: boolean | undefined },
	world: World,
): Promise<number> {
	if (wanted === "" || (json && markdown)) {
		world.err.write(wanted === "" ? WHICH : "pi-sessions show: --json or --markdown, not both.\n");
		return NOT_FOUND;
	}
	const found = await findSession(wanted, world);
	if (!found.ok) {
		world.err.write(`pi-sessions show: ${found.told}\n`);
		return NOT_FOUND;
	}
	const { row } = found;
	const card = await readCard(row, world);
	if (!card.ok) {
		world.err.write(`pi-sessions show: it cannot be read (${clipColumns(cleanLine(card.detail), 200)}).\n`);
		return FAILED;
	}
	const lease = new LiveSessions(world).of(row);
	if (json) {
		const { recap = null, stored } = card;
		printJson({ session: sessionJson(row, lease), recap, stored }, world.out);
	} else {
		const view = { row, lease, card, now: world.now() };
		const lines = markdown ? cardMarkdown(view) : cardLines(view, world);
		world.out.write(`${lines.join("\n")}\n`);
	}
	return DONE;
}
