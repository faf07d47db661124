import {
	type Commons,
	commonsOf,
	type ExtensionAPI,
	type ExtensionContext,
	type SessionEnd,
	type Shared,
} from "../session-core/pi/index.ts";
import { asJob, parentJob, rememberJob } from "../session-core/recap/index.ts";
import { RESUMED_FROM_VARIABLE, resumedJob } from "../session-core/sessions/index.ts";
import { background, errorFields, safeSessionId } from "../session-core/text/index.ts";
import { reportLoss } from "./refusals.ts";

/**
 * Saves the record of a headless run. The record is of the kind `job` only if no user has ever taken
 * part in the session.
 */
export class HeadlessRun {
	readonly #ctx: ExtensionContext;
	readonly #commons: Commons;
	readonly #lastBefore: string | undefined;
	readonly #job: Parameters<typeof asJob>[1] | undefined;

	/** `leafBefore` is the id of the last entry in the session before the run. */
	constructor(pi: ExtensionAPI, ctx: ExtensionContext, shared: Shared, leafBefore: string | null) {
		this.#ctx = ctx;
		this.#commons = commonsOf(shared, ctx);
		const { host, records } = this.#commons;
		this.#lastBefore = records.lastMessageBefore(leafBefore);
		const before = records.reading()?.newest;
		const resumed = resumedJob(process.env[RESUMED_FROM_VARIABLE]);
		// An older record does not show whether the user has continued the session since then.
		const isContinued = before?.kind === "job" && before.last_message_id === this.#lastBefore;
		const isJob = this.#lastBefore === undefined || isContinued || resumed !== undefined;
		this.#job = isJob
			? { tools: pi.getActiveTools(), ...parentJob(before, safeSessionId(host.id), resumed) }
			: undefined;
	}

	start(): void {
		// Git's status is read while the model is working, so that writing the record does not wait for git.
		background("resume", () => this.#commons.repository.refresh());
		// If child pi processes inherited `RESUMED_FROM_VARIABLE`, their runs would be recorded as resumed jobs.
		delete process.env[RESUMED_FROM_VARIABLE];
	}

	end(how: SessionEnd): void {
		if (how === "continued") return;
		try {
			this.#keep();
		} catch (bug) {
			// A malformed session file must not change the result of the run.
			this.#commons.log("read.failed", errorFields(bug));
		}
	}

	#keep(): void {
		const { agentDir, host, log, records } = this.#commons;
		if (records.isCurrent(this.#lastBefore)) {
			log("record.skipped", { cause: "job", reason: "nothing" });
			return;
		}
		// A run that is still active when its session ends is recorded as canceled.
		const isCanceled = !this.#ctx.isIdle();
		const job = this.#job;
		const kept = records.keep({ cause: "job" }, (made) => {
			const record = isCanceled ? { ...made, outcome: "aborted" as const } : made;
			return job ? asJob({ ...record, kind: "job" }, job) : record;
		});
		const file = host.source.getSessionFile();
		if (kept.ok && job && file !== undefined) rememberJob(agentDir, kept.record, file);
		reportLoss(kept);
	}
}
