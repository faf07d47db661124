import { endingText } from "../recap/text.ts";
import type { SessionState, SessionView, TitleOrigin } from "./view.ts";

/** A session as JSON for the shell and HTTP interfaces, documented in docs/shell.md. Times are in seconds since the epoch. */
export interface SessionJson {
	id: string;
	/** The agent that wrote the session: `pi`, `claude-code` or `codex`. */
	agent: SessionView["agent"];
	title: string;
	title_source: TitleOrigin;
	kind: SessionView["kind"];
	state: SessionState;
	/** When the current state began; null for a closed session. */
	since: number | null;
	pid: number | null;
	cwd: string;
	project: string;
	path: string;
	created_at: number;
	modified_at: number;
	model: string | null;
	size: number;
	first_prompt: string | null;
	parent_session: string | null;
	/** Whether pi can read the session's file. */
	readable: boolean;
	/** Whether the last run ended with an error, in an open or a closed session. */
	failed: boolean;
	/** How the session ended; null if it ended normally. */
	ending: string | null;
	/** Whether a question or request of the agent is unanswered. */
	waits: boolean;
	next: string | null;
	/** The session's newest stored recap. `fresh`: whether it includes the last message. */
	recap: { id: string; fresh: boolean; headline: string; outcome: string; next_actions: string[] } | null;
}

export function sessionJson(view: SessionView): SessionJson {
	const { newestRecord: newest } = view;
	return {
		id: view.id,
		agent: view.agent,
		title: view.title,
		title_source: view.titleSource,
		kind: view.kind,
		state: view.state,
		since: view.since === undefined ? null : seconds(view.since),
		pid: view.pid ?? null,
		cwd: view.cwd,
		project: view.project,
		path: view.path,
		created_at: seconds(view.created),
		modified_at: seconds(view.modified),
		model: view.model ?? null,
		size: view.size,
		first_prompt: view.prompt ?? null,
		parent_session: view.parent ?? null,
		readable: view.readable,
		failed: view.state === "failed" || view.ending?.outcome === "error",
		ending: view.ending ? endingText(view.ending) : null,
		waits: view.waits,
		next: view.next ?? null,
		recap: newest
			? {
					id: newest.id,
					fresh: view.record !== undefined,
					headline: newest.headline,
					outcome: newest.outcome,
					next_actions: newest.next_actions,
				}
			: null,
	};
}

export function seconds(ms: number): number {
	return Math.floor(ms / 1_000);
}
