import { Offers } from "../../session-core/sessions/match.ts";
import { isBackground } from "../../session-core/sessions/summary.ts";
import { toldApart, viewOf } from "../../session-core/sessions/view.ts";
import { allSessions, isSamePlace, openSessions } from "../sessions/find.ts";
import { pickSession } from "../sessions/picker.ts";
import { mostUrgentFirst } from "../sessions/table.ts";
import { DONE, type World } from "../shell/world.ts";
import { resume } from "./resume.ts";

/**
 * Runs `pi-sessions` without a command in a terminal: lists sessions to choose from, beginning with those of this project. Resolves to
 * undefined if there are no sessions.
 */
export async function pick(world: World): Promise<number | undefined> {
	const { rows } = await allSessions(world);
	const leaseOf = openSessions(world);
	const sessions = rows
		.filter((row) => !isBackground(row))
		.map((row) => ({ view: viewOf(row, leaseOf(row)) }));
	if (sessions.length === 0) return undefined;
	const views = toldApart(mostUrgentFirst(sessions).map(({ view }) => view));
	const here = views.filter((view) => isSamePlace(view.cwd, world.cwd));
	const scopes = [...(here.length > 0 ? [{ views: here, all: false }] : []), { views, all: true }];
	const chosen = await pickSession(scopes, new Offers(rows), world);
	return chosen ? resume({}, world, chosen.path) : DONE;
}
