import { Offers } from "../../session-core/sessions/match.ts";
import { foldOf, inUsualOrder } from "../../session-core/sessions/session-list.mjs";
import { toldApart, viewOf } from "../../session-core/sessions/view.ts";
import { allSessions, isSamePlace, openSessions } from "../sessions/find.ts";
import { pickSession } from "../sessions/picker.ts";
import { DONE, type World } from "../shell/world.ts";
import { resume } from "./resume.ts";

/**
 * Runs `pi-sessions` without a command in a terminal: lists sessions to choose from, beginning with those of this project. Resolves to
 * undefined if there are no sessions.
 */
export async function pick(world: World): Promise<number | undefined> {
	const { rows } = await allSessions(world);
	const leaseOf = openSessions(world);
	const all = rows.map((row) => viewOf(row, leaseOf(row)));
	const views = toldApart(all.filter((view) => foldOf(view) === undefined).sort(inUsualOrder));
	if (views.length === 0) return undefined;
	const here = views.filter((view) => isSamePlace(view.cwd, world.cwd));
	const scopes = [...(here.length > 0 ? [{ views: here, all: false }] : []), { views, all: true }];
	const chosen = await pickSession(scopes, new Offers(rows), world);
	return chosen ? resume({}, world, chosen.path) : DONE;
}
