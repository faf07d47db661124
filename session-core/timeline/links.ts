/** Collects the commits, pull requests and pages that the session created, from the output of commands and tools. */
import { createsCommit, madeBy } from "./made.ts";
import { stepsOf } from "./turn.ts";
import type { Link, Turn } from "./types.ts";

const KEPT = 24;

/** Returns the links, oldest first. If a link occurs more than once, its newest occurrence is used. */
/** Number of characters of quiet commits that are remembered until a log is printed. */
const REMEMBERED = 4_000;

export function madeLinks(turns: readonly Turn[]): Link[] {
	const links = new Map<string, Link>();
	turns.forEach((turn, index) => {
		let silent = "";
		for (const step of stepsOf(turn)) {
			if (step.outcome === "pending" || (step.looks && silent === "")) continue;
			// A commit that printed nothing may be shown by the log that is read next.
			const command = step.command === undefined ? undefined : silent + step.command;
			const made = madeBy({ ...step, command });
			const isCommit = step.outcome === "ok" && command !== undefined && createsCommit(command);
			silent =
				isCommit && made.every(({ kind }) => kind !== "commit") ? `${command.slice(-REMEMBERED)} && ` : "";
			for (const link of made) {
				const same = (key: string): boolean => key.startsWith(link.locator) || link.locator.startsWith(key);
				const known = [...links.keys()].find(same) ?? link.locator;
				const label = link.label || (links.get(known)?.label ?? "");
				links.delete(known);
				links.set(link.locator, { ...link, label, turn: index });
			}
		}
	});
	return [...links.values()].slice(-KEPT);
}
