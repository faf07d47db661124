import type { SessionSummary } from "../../session-core/store/summary.ts";
import { sessionJson } from "../sessions/json.ts";
import { allSessions, sessionsHere } from "../sessions/place.ts";
import { isInState, LiveSessions, type STATES } from "../sessions/state.ts";
import { wordsFor } from "../sessions/words.ts";
import { DONE, NOT_FOUND } from "../shell/exit.ts";
import { printJson } from "../shell/json.ts";
import type { World } from "../shell/world.ts";
import { listLines } from "./lines.ts";

export interface ListOptions {
	all?: boolean | undefined;
	background?: boolean | undefined;
	state?: (typeof STATES)[number] | undefined;
	limit?: string | undefined;
	json?: boolean | undefined;
}

/** `pi-sessions list` */
export async function list(options: ListOptions, world: World): Promise<number> {
	const limit = options.limit === undefined ? Number.POSITIVE_INFINITY : Number(options.limit);
	if (!(limit >= 0)) {
		world.err.write("pi-sessions list: --limit is a number.\n");
		return NOT_FOUND;
	}
	const live = new LiveSessions(world);
	const found = options.all ? await allSessions(world) : await sessionsHere(world);
	const wanted = found.filter((row) => isInState(live.of(row)?.state ?? "closed", options.state));
	if (options.json) {
		const sessions = wanted.slice(0, limit).map((row) => sessionJson(row, live.of(row)));
		printJson({ sessions }, world.out);
		return DONE;
	}
	// What is live and was asked for by its state is shown, whoever began it.
	const shown = wanted.filter((row) => options.background || options.state || !isBackground(row));
	const words = await wordsFor(world);
	for (const line of listLines(shown.slice(0, limit), { ...world, live, words, all: options.all ?? false }))
		world.out.write(`${line}\n`);
	world.err.write(noteOf(options, { shown: shown.length, folded: wanted.length - shown.length, world }));
	return DONE;
}

function isBackground({ kind }: SessionSummary): boolean {
	return kind === "headless" || kind === "child";
}

/** What is not in the list; for people only. */
function noteOf(
	{ all, state }: ListOptions,
	{ shown, folded, world }: { shown: number; folded: number; world: World },
): string {
	const more = folded > 0 ? `${folded} more with --background: headless runs and child sessions.\n` : "";
	if (shown > 0) return world.out.isTTY ? more : "";
	const none = state ? "No session is in that state" : "No sessions";
	return `${none}${all ? "." : " in this project; --all lists all."}\n${more}`;
}
