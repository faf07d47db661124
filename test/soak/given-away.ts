import { SUSPENDED } from "../host/job-control.ts";
import type { Key } from "../host/keys.ts";
import { type Action, action } from "./actions.ts";
import { EDITING } from "./editor.ts";
import { modeFaults } from "./terminal-watch.ts";

/** Milliseconds until the other program stands there; something that opened late may have taken the key. */
const GIVEN_MS = 12_000;
/** Milliseconds until the bytes before it are on the screen, too. */
const PAINTED_MS = 2_000;

/** The terminal belongs to another program for a while: what pi asked of it must be off until it is back. */
export const GIVEN_AWAY: readonly Action[] = [
	givenAway("suspend and return", "ctrl+z", SUSPENDED),
	givenAway("the external editor", "ctrl+g", EDITING),
];

function givenAway(name: string, key: Key, sign: string): Action {
	return action(name, 2, async ({ tab, world }) => {
		await tab.toEditor();
		const { host } = tab;
		const before = host.raw.length;
		host.key(key);
		if (!(await tab.shows(() => host.raw.includes(sign, before), GIVEN_MS))) return;
		const faults = () => modeFaults(host, name, "orderly");
		await tab.shows(() => faults().length === 0, PAINTED_MS);
		world.tally.failures.push(...faults());
		host.key("enter");
		await tab.painted();
	});
}
