import type { Prepared } from "../../session-core/recap/index.ts";
import { errorFields } from "../../session-core/text/index.ts";
import type { AskNote, ResumeDeps } from "../deps.ts";
import type { Keeper } from "./keeper.ts";

/** Maximum delay of a timer in Node.js, in milliseconds. */
const MAX_MS = 2 ** 31 - 1;

interface IdleSession {
	isLive: () => boolean;
	askNote: AskNote;
}

/** Saves the record of a session that has been idle for some time. */
export class IdleRecords {
	#timer: NodeJS.Timeout | undefined;
	readonly #deps: ResumeDeps;
	readonly #keeper: Keeper;
	readonly #session: IdleSession;

	constructor(deps: ResumeDeps, keeper: Keeper, session: IdleSession) {
		this.#deps = deps;
		this.#keeper = keeper;
		this.#session = session;
	}

	start(): void {
		this.stop();
		const ms = Math.min(this.#settings().idleMinutes * 60_000, MAX_MS);
		if (ms > 0) this.#timer = setTimeout(() => this.#due(), ms).unref();
	}

	stop(): void {
		clearTimeout(this.#timer);
	}

	#settings() {
		return this.#deps.settings().resume;
	}

	#due(): void {
		try {
			this.#save();
		} catch (bug) {
			this.#deps.commons.log("background.failed", errorFields(bug));
		}
	}

	#save(): void {
		if (!this.#session.isLive() || !this.#deps.ctx.isIdle()) return;
		const { idleMinutes, generator } = this.#settings();
		if (idleMinutes === 0) return;
		const wantsModel = generator === "llm";
		const proposed = this.#keeper.propose({ cause: "idle", wantsModel });
		if (!proposed.ok) return;
		const { prepared } = proposed;
		const keep = (recap: Prepared["recap"]) =>
			this.#keeper.put(recap, { over: prepared.existing, cause: "idle" });
		if (wantsModel)
			this.#session.askNote(prepared, "auto", (outcome) => {
				if (this.#session.isLive()) keep(outcome.ok ? outcome.recap : prepared.recap);
			});
		else keep(prepared.recap);
	}
}
