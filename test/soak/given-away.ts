import { SUSPENDED } from "../host/job-control.ts";
import type { Key } from "../host/keys.ts";
import { type Action, action } from "./actions.ts";
import { EDITING, modeFaults } from "./terminal-watch.ts";

/** Milliseconds until the other program has the terminal. A dialog that opened late may have consumed the key. */
const GIVEN_MS = 12_000;
/** Milliseconds until all previous output is on the screen. */
const PAINTED_MS = 2_000;

/** While another program has the terminal, pi's terminal modes must be off. */
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
