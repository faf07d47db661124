import { lastMessageId, walkBranch } from "../session-core/log/index.ts";
import {
	type EndReason,
	type ExtensionAPI,
	type ExtensionContext,
	getAgentDir,
	type HostSession,
	hostSession,
	loadSettings,
	SessionRecords,
} from "../session-core/pi/index.ts";
import {
	asJob,
	cardWords,
	parentJob,
	RECAP_ENTRY,
	recordsOn,
	rememberJob,
} from "../session-core/recap/index.ts";
import { RESUMED_FROM_VARIABLE, resumedJob } from "../session-core/sessions/index.ts";
import {
	background,
	type DebugLog,
	errorFields,
	openLog,
	Repository,
	sendBugs,
} from "../session-core/text/index.ts";
import { reportLoss } from "./refusals.ts";

/**
 * Writes the record of a run without a user. The record has the kind `job` only if the session has never
 * had a user.
 */
export class HeadlessRun {
	readonly #ctx: ExtensionContext;
	readonly #host: HostSession;
	readonly #lastBefore: string | undefined;
	readonly #agentDir = getAgentDir();
	readonly #repository: Repository;
	readonly #log: DebugLog;
	readonly #records: SessionRecords;
	readonly #job: Parameters<typeof asJob>[1] | undefined;
	#isOver = false;

	/** `leafBefore` is the id of the session's last entry before the run. */
	constructor(pi: ExtensionAPI, ctx: ExtensionContext, leafBefore: string | null) {
		const host = hostSession(ctx);
		const { settings } = loadSettings({ agentDir: this.#agentDir, cwd: ctx.cwd });
		const getEntry = (id: string) => host.source.getEntry(id);
		const getLeafEntry = () => (leafBefore === null ? undefined : getEntry(leafBefore));
		this.#ctx = ctx;
		this.#host = host;
		this.#lastBefore = lastMessageId({ getEntry, getLeafEntry });
		this.#repository = new Repository(ctx.cwd);
		this.#log = openLog({ agentDir: this.#agentDir, enabled: settings.debug, session: () => host.id });
		sendBugs({ log: (name, bug) => this.#log("suite.failed", { name, ...errorFields(bug) }) });
		this.#records = new SessionRecords({
			...{ host, repository: this.#repository, log: this.#log },
			words: cardWords(settings.language),
			append: (record) => pi.appendEntry(RECAP_ENTRY, record),
			minMessages: () => settings.resume.minMessages,
		});
		const before = recordsOn(walkBranch(host.source));
		const resumed = resumedJob(process.env[RESUMED_FROM_VARIABLE]);
		const isJob = this.#lastBefore === undefined || before[0]?.kind === "job" || resumed !== undefined;
		this.#job = isJob ? { tools: pi.getActiveTools(), ...parentJob(before, host.id, resumed) } : undefined;
	}

	start(): void {
		// Git runs while the model is working, so that writing the record does not have to wait for git.
		background("resume", () => this.#repository.refresh());
		// Another pi process that this run starts must not be mistaken for this job, so the environment
		// variable is deleted.
		delete process.env[RESUMED_FROM_VARIABLE];
	}

	end(reason: EndReason): void {
		if (this.#isOver || reason === "reload" || !this.#host.isCurrent()) return;
		this.#isOver = true;
		try {
			this.#keep();
		} catch (bug) {
			// A malformed session file must not change the result of the run.
			this.#log("read.failed", errorFields(bug));
		}
	}

	#keep(): void {
		if (this.#records.isCurrent(this.#lastBefore)) {
			this.#log("record.skipped", { cause: "job", reason: "nothing" });
			return;
		}
		// If a run is still active when its session ends, the run was canceled.
		const isCanceled = !this.#ctx.isIdle();
		const job = this.#job;
		const kept = this.#records.keep({ cause: "job" }, (made) => {
			const record = isCanceled ? { ...made, outcome: "aborted" as const } : made;
			return job ? asJob({ ...record, kind: "job" }, job) : record;
		});
		const file = this.#host.source.getSessionFile();
		if (kept.ok && job && file !== undefined) rememberJob(this.#agentDir, kept.recap, file);
		reportLoss(kept);
	}
}
