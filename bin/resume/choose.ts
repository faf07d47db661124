import type { ScanReport } from "../../session-core/store/scan.ts";
import type { SessionSummary } from "../../session-core/store/summary.ts";
import { findSession } from "../sessions/find.ts";
import { sessionsHere } from "../sessions/place.ts";
import { unreadLines } from "../sessions/unread.ts";
import type { World } from "../shell/world.ts";

/** `isWarning`: there is none, which is no fault. */
export type Chosen = { ok: true; row: SessionSummary } | { ok: false; told: string; isWarning: boolean };

/** The session that is to be resumed: by its name, or the newest of this project. */
export async function chooseSession(wanted: string, isNewest: boolean, world: World): Promise<Chosen> {
	if (isNewest && wanted !== "")
		return refused("--continue is the newest session of this project; it takes no title or id.");
	if (wanted !== "") {
		const found = await findSession(wanted, world);
		return found.ok ? found : refused(found.told);
	}
	const reports: ScanReport[] = [];
	const newest = (await sessionsHere(world, (report) => void reports.push(report))).find(
		({ kind }) => kind !== "headless" && kind !== "child",
	);
	const unread = unreadLines(reports);
	if (!newest && unread.length > 0) return refused(unread.join("\n"));
	if (!newest) return { ok: false, told: "there is no session to resume in this project.", isWarning: true };
	if (isNewest) return { ok: true, row: newest };
	return refused(
		"which session? pi-sessions resume <title|id>, or --continue for the newest of this project.",
	);
}

function refused(told: string): Chosen {
	return { ok: false, told, isWarning: false };
}
