import { expect, test } from "vitest";
import { heuristicRecap } from "../recap/heuristic.ts";
import { recapText } from "../recap/text.ts";
import { timelineOf } from "../timeline/log.test-support.ts";
import { renderTimeline } from "../timeline/render.ts";

/** Put together at run time, so that no scanner takes this file for a leak. */
const SECRET = ["Zq8", "vRt2", "Lm9xW"].join("");

test("a value once seen as a secret is hidden wherever it stands in what leaves the session", () => {
	const timeline = timelineOf([
		{ user: `the database password is ${SECRET}, please check why the login fails for it` },
		{ bash: `psql -h db -c 'select 1' # ${SECRET}`, out: `1 passed\nconnected with ${SECRET}` },
		{
			tool: "save_note",
			args: { title: `login works with ${SECRET}`, nested: [{ deep: SECRET }] },
			out: "saved",
		},
		{ says: `It works with ${SECRET} now. Shall I rotate ${SECRET}?` },
	]);
	const recap = heuristicRecap(timeline, { id: "1", subjectId: "2", createdAt: 3 });
	const out = `${renderTimeline(timeline)}\n${recapText(recap)}\n${JSON.stringify(recap)}`;
	expect(out).toContain("[redacted]");
	expect(out).not.toContain(SECRET.slice(0, 6));
});
