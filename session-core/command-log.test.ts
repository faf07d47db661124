import { expect, test } from "vitest";
import { loggedScreen } from "./command-log.ts";
import type { LogFields } from "./debug-log.ts";

test("what a command says is logged by its first line, without what it quotes, and said as it is", () => {
	const said: string[] = [];
	const logged: LogFields[] = [];
	const screen = loggedScreen(
		{ say: (text: string, _kind?: "info" | "warning") => void said.push(text) },
		"resume-here",
		(_, fields) => void logged.push(fields),
	);
	screen.say('resume-here: no "Fix the parser" here:\n  1 from the session', "warning");
	expect(said).toEqual(['resume-here: no "Fix the parser" here:\n  1 from the session']);
	expect(logged).toEqual([{ command: "resume-here", kind: "warning", reason: 'resume-here: no "…" here:' }]);
	screen.say("recap-card: p/m is rate limited (429: slow (down), Ann). Try again.", "warning");
	expect(logged[1]?.["reason"]).toBe("recap-card: p/m is rate limited (429). Try again.");
});
