import { lastMessageId, walkBranch } from "../session-core/log/index.ts";
import {
	type EndReason,
	type ExtensionAPI,
	type ExtensionContext,
	getAgentDir,
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
import { errorFields, openLog, Repository } from "../session-core/text/index.ts";
import { reportLoss } from "./refusals.ts";

/**
 * The record has the kind `job` only if the session has never had a user. `leafBefore` is the id of the session's last entry before the
 * run.
 */
export async function startHeadless(pi: ExtensionAPI, ctx: ExtensionContext, leafBefore: string | null) {
	const agentDir = getAgentDir();
	const host = hostSession(ctx);
	const getEntry = (id: string) => host.source.getEntry(id);
	const lastBefore = lastMessageId({
		getEntry,
		getLeafEntry: () => (leafBefore === null ? undefined : getEntry(leafBefore)),
	});
	const repository = new Repository(ctx.cwd);
	// Git runs while the model is working, so that writing the record does not have to wait for git.
	void repository.refresh();
	const { settings } = loadSettings({ agentDir, cwd: ctx.cwd });
	const log = openLog({ agentDir, enabled: settings.debug, session: () => host.id });
	const before = recordsOn(walkBranch(host.source));
	const wanted = resumedJob(process.env[RESUMED_FROM_VARIABLE]);
	const isJob = lastBefore === undefined || before[0]?.kind === "job" || wanted !== undefined;
	// Another pi process that this run starts must not be mistaken for this job, so the environment variable is deleted.
	delete process.env[RESUMED_FROM_VARIABLE];
	const job = { tools: pi.getActiveTools(), ...parentJob(before, host.id, wanted) };
	const records = new SessionRecords({
		...{ host, repository, log },
		words: cardWords(settings.language),
		append: (record) => pi.appendEntry(RECAP_ENTRY, record),
		minMessages: () => settings.resume.minMessages,
	});
	let isOver = false;

	function keep(): void {
		if (records.isCurrent(lastBefore)) {
			log("record.skipped", { cause: "job", reason: "nothing" });
			return;
		}
		// If a run is still active when its session ends, the run was canceled.
		const isCanceled = !ctx.isIdle();
		const kept = records.keep({ cause: "job" }, (made) => {
			const record = isCanceled ? { ...made, outcome: "aborted" as const } : made;
			return isJob ? asJob({ ...record, kind: "job" }, job) : record;
		});
		const file = host.source.getSessionFile();
		if (kept.ok && isJob && file !== undefined) rememberJob(agentDir, kept.recap, file);
		reportLoss(kept);
	}

	return {
		end(reason: EndReason) {
			if (isOver || reason === "reload" || !host.isCurrent()) return;
			isOver = true;
			try {
				keep();
			} catch (bug) {
				// A malformed session file must not change the result of the run.
				log("read.failed", errorFields(bug));
			}
		},
	};
}
