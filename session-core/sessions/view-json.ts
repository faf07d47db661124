import { endingText, type SessionRecord } from "../recap/index.ts";
import type { Overlap } from "./live/index.ts";
import type { SessionView } from "./view.ts";

export type SessionJson = ReturnType<typeof sessionJson>;

export function sessionJson(view: SessionView, overlaps: readonly Overlap[] = []) {
	const { recap: newest } = view;
	return {
		id: view.id,
		agent: view.format.name,
		mark: view.format.mark,
		title: view.title,
		title_source: view.titleSource,
		kind: view.kind,
		branch: view.branch ?? null,
		state: view.state,
		interactive: view.interactive,
		since: view.since === undefined ? null : seconds(view.since),
		pid: view.pid ?? null,
		doing: view.doing ?? null,
		steps: view.steps ?? null,
		dialog: view.dialog ?? null,
		waiting_since: view.waitingSince === undefined ? null : seconds(view.waitingSince),
		cwd: view.cwd,
		project: view.project,
		path: view.path,
		...(view.newerFile !== undefined && { newer_file: view.newerFile }),
		created_at: seconds(view.created),
		modified_at: seconds(view.modified),
		model: view.model ?? null,
		size: view.size,
		first_prompt: view.firstPrompt ?? null,
		parent_session: view.parentSession ?? null,
		...(view.planted && { planted: true }),
		readable: view.hostReads,
		failed: view.state === "failed" || view.ending?.outcome === "error",
		ending: view.ending ? endingText(view.ending) : null,
		waits: view.waits,
		last_message_id: view.last?.id ?? null,
		next: view.next?.text ?? null,
		next_kind: (view.next?.kind === "suggestion" ? "step" : view.next?.kind) ?? null,
		overlaps: overlaps.map(({ path, session, at }) => ({ path, session, at: seconds(at) })),
		recap: newest ? recapJson(newest, view.record !== undefined) : null,
	};
}

export function seconds(ms: number): number {
	return Math.floor(ms / 1_000);
}

function recapJson({ id, headline, outcome, bullets, next_actions }: SessionRecord, fresh: boolean) {
	return { id, fresh, headline, outcome, bullets, next_actions };
}
