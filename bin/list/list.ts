import { sessionsRoot } from "../../session-core/store/folders.ts";
import type { ScanReport } from "../../session-core/store/scan.ts";
import type { SessionSummary } from "../../session-core/store/summary.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { sessionJson } from "../sessions/json.ts";
import { allSessions, sessionsHere } from "../sessions/place.ts";
import { isInState, LiveSessions, type STATES } from "../sessions/state.ts";
import { unreadLines } from "../sessions/unread.ts";
import { wordsFor } from "../sessions/words.ts";
import { DONE, FAILED, NOT_FOUND } from "../shell/exit.ts";
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
	if (limit !== Number.POSITIVE_INFINITY && !/^\d{1,9}$/.test(options.limit ?? "")) {
		world.err.write("pi-sessions list: --limit is a whole number.\n");
		return NOT_FOUND;
	}
	const live = new LiveSessions(world);
	const reports: ScanReport[] = [];
	const told = (report: ScanReport) => void reports.push(report);
	const found = options.all ? await allSessions(world, told) : await sessionsHere(world, told);
	const unread = unreadLines(reports);
	for (const line of unread) world.err.write(`pi-sessions list: ${line}\n`);
	const code = found.length === 0 && unread.length > 0 ? FAILED : DONE;
	const wanted = found.filter((row) => isInState(live.of(row)?.state ?? "closed", options.state));
	if (options.json) {
		const sessions = wanted.slice(0, limit).map((row) => sessionJson(row, live.of(row)));
		printJson({ sessions }, world.out);
		return code;
	}
	// What is live and was asked for by its state is shown, whoever began it.
	const shown = wanted.filter((row) => options.background || options.state || !isBackground(row));
	const words = await wordsFor(world);
	for (const line of listLines(shown.slice(0, limit), { ...world, live, words, all: options.all ?? false }))
		world.out.write(`${line}\n`);
	if (code === DONE)
		world.err.write(noteOf(options, { shown: shown.length, folded: wanted.length - shown.length, world }));
	return code;
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
	const folder = cleanLine(world.sessionDir ?? sessionsRoot(world.agentDir));
	return `${none}${all ? ` (${folder}).` : " in this project; --all lists all."}\n${more}`;
}
