import type { Lease } from "./live/index.ts";
import { summarize } from "./summary.ts";
import { type SessionView, toldApart, viewOf } from "./view.ts";

/** Undefined if its file cannot be read. `called`: the name to show. Default: the title. */
export function liveTitle(
	sessionId: string,
	leases: readonly Lease[],
	called = ({ title }: SessionView) => title,
): string | undefined {
	const views = new Map<string, SessionView>();
	for (const lease of leases) {
		const read = lease.sessionFile === undefined ? undefined : summarize(lease.sessionFile);
		if (!read?.ok) continue;
		const view = viewOf(read.record.summary, lease);
		views.set(lease.sessionId, { ...view, title: called(view) });
	}
	return toldApart([...views.values()]).find(({ id }) => id === sessionId)?.title;
}
