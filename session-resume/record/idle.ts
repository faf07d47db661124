import type { SessionRecord } from "../../session-core/recap/index.ts";
import { errorFields } from "../../session-core/text/index.ts";
import type { AskNote, ResumeDeps } from "../deps.ts";
import type { Keeper } from "./keeper.ts";

/** Maximum delay of a timer in Node.js, in milliseconds. */
const MAX_MS = 2 ** 31 - 1;

/** Saves the record of a session that has been idle for some time. */
export function createIdleRecords(
	{ ctx, settings, commons }: ResumeDeps,
	keeper: Keeper,
	{ isLive, askNote }: { isLive: () => boolean; askNote: AskNote },
) {
	let timer: NodeJS.Timeout | undefined;
	const stop = () => clearTimeout(timer);

	function save(): void {
		const { idleMinutes, generator } = settings().resume;
		if (!isLive() || !ctx.isIdle() || idleMinutes === 0) return;
		const wantsModel = generator === "llm";
		const proposed = keeper.propose({ cause: "idle", wantsModel });
		if (!proposed.ok) return;
		const { prepared } = proposed;
		const keep = (recap: SessionRecord) => keeper.put(recap, { over: prepared.existing, cause: "idle" });
		if (!wantsModel) keep(prepared.recap);
		else
			askNote(prepared, "auto", (outcome) => {
				if (isLive()) keep(outcome.ok ? outcome.recap : prepared.recap);
			});
	}

	return {
		start() {
			stop();
			const due = () => {
				try {
					save();
				} catch (bug) {
					commons.log("background.failed", errorFields(bug));
				}
			};
			const ms = Math.min(settings().resume.idleMinutes * 60_000, MAX_MS);
			if (ms > 0) timer = setTimeout(due, ms).unref();
		},
		stop,
	};
}
