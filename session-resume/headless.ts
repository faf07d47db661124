import { randomUUID } from "node:crypto";
import { type ExtensionAPI, type ExtensionContext, getAgentDir } from "@mariozechner/pi-coding-agent";
import { openLog } from "../session-core/open-log.ts";
import { appendCarefully } from "../session-core/session/append.ts";
import { openSettings } from "../session-core/settings/open.ts";
import { needsUser } from "../session-core/terminal/print-ui.ts";

import { explainRefusal } from "./answers.ts";
import { hostSession } from "./host-session.ts";
import { readSession } from "./reading.ts";
import { RECAP_ENTRY } from "./record/entry.ts";
import { createKeeper } from "./record/keeper.ts";
import { loggedKeeper } from "./record/logged.ts";
import type { Resume } from "./running.ts";
import { createRepository } from "./workspace/watch.ts";

/** A run without a user in front of it (print or JSON mode): it leaves a record of kind `job`, with its outcome. */
export async function startHeadless(pi: ExtensionAPI, ctx: ExtensionContext): Promise<Resume> {
	const agentDir = getAgentDir();
	const session = hostSession(ctx);
	const repository = createRepository((...call) => pi.exec(...call), ctx.cwd);
	// While the model thinks; a record does not wait for git.
	void repository.refresh();
	const { settings } = await openSettings({ agentDir, cwd: ctx.cwd });
	const log = await openLog({ agentDir, enabled: settings.debug });
	const records = createKeeper({
		session,
		kind: "job",
		minMessages: settings.resume.minMessages,
		read: () => readSession(session.source, session.origin, session.cwd),
		checkout: () => repository.last,
		append: (recap) => appendCarefully(session.target, () => pi.appendEntry(RECAP_ENTRY, recap)),
		newId: randomUUID,
		now: Date.now,
	});
	const keeper = loggedKeeper(records, log);
	return {
		happened: () => undefined,
		claims: () => false,
		drafted: () => undefined,
		recapShown: () => undefined,
		complete: async () => null,
		command: async (name) => needsUser(name),
		end(reason) {
			if (reason === "reload" || !session.isCurrent()) return;
			try {
				const kept = keeper.keep({ cause: "job" });
				if (!kept.ok && kept.reason === "unwritable") process.stderr.write(`${explainRefusal(kept)}\n`);
			} catch (bug) {
				// Session files hold what nobody foresaw; the run's own result must not suffer from it.
				log("read.failed", { error: bug instanceof Error ? bug.name : "unknown" });
			}
		},
	};
}
