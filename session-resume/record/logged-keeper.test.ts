import { expect, test } from "vitest";
import { recapOf } from "../../session-core/recap/record.test-support.ts";
import type { Keeper, Kept } from "./keeper.ts";
import { loggedKeeper } from "./logged-keeper.ts";

function events(kept: Kept): string[] {
	const keeper: Keeper = {
		state: () => undefined,
		propose: () => (kept.ok ? { ok: false, reason: "exists" } : kept),
		put: () => kept,
		keep: () => kept,
	};
	const logged: string[] = [];
	const it = loggedKeeper(keeper, (event, { cause, reason }) =>
		logged.push([event, cause, reason].filter(Boolean).join(" ")),
	);
	it.keep({ cause: "end" });
	it.put(recapOf(), { over: undefined, cause: "idle" });
	it.propose({ cause: "typed" });
	return logged;
}

test("every record that is written, skipped or refused leaves an event with its reason", () => {
	expect(events({ ok: true, recap: recapOf() })).toEqual([
		"record.written end",
		"record.written idle",
		"record.skipped typed exists",
	]);
	expect(events({ ok: false, reason: "short" })).toEqual([
		"record.skipped end short",
		"record.skipped idle short",
		"record.skipped typed short",
	]);
	expect(events({ ok: false, reason: "unwritable" })[0]).toBe("record.refused end unwritable");
});
