import { recapOf } from "../../session-core/recap/record.test-support.ts";
import { session } from "../host/fixtures.ts";
import type { AgentFolder } from "./agent-folder.ts";

const MINUTE = 60_000;

interface Sample {
	title: string | undefined;
	prompt: string;
	reply: string;
	next?: string;
	cwd: string;
	ago: number;
	state?: "waiting" | "working" | "idle" | "failed";
	since?: number;
}

const SAMPLES: readonly Sample[] = [
	{
		title: "Retry queue in SQLite",
		prompt: "Move the retry queue to SQLite, and keep the old one until the tests pass",
		reply: "The queue now lives in SQLite and all 43 tests pass. Shall I remove the old queue?",
		next: "Shall I remove the old queue?",
		cwd: "/home/ada/code/worker",
		ago: 14,
		state: "waiting",
	},
	{
		title: "Flaky login test on CI",
		prompt: "The login test fails on CI one time in ten; find out why",
		reply: "It waits for a fixed 200 ms. Which deadline do you want: 2 s or 5 s?",
		next: "Which deadline do you want: 2 s or 5 s?",
		cwd: "/home/ada/code/shop",
		ago: 11,
		state: "waiting",
	},
	{
		title: "Invoice PDF in three languages",
		prompt: "Invoices in German, French and Japanese",
		reply: "The provider refused the request.",
		cwd: "/home/ada/code/shop",
		ago: 2,
		state: "failed",
	},
	{
		title: "Upgrade to Node 22",
		prompt: "Upgrade everything to Node 22",
		reply: "Two packages are left.",
		cwd: "/home/ada/code/infra",
		ago: 1,
		state: "working",
		since: 6,
	},
	{
		title: "Tri des résultats de recherche",
		prompt: "Les accents faussent le tri des résultats de recherche",
		reply: "Le tri suit maintenant les règles du français. On fait aussi l'allemand ?",
		next: "On fait aussi l'allemand ?",
		cwd: "/home/ada/code/search",
		ago: 34,
		state: "idle",
		since: 30,
	},
	{
		title: undefined,
		prompt: "Why does the build take nine minutes since Monday?",
		reply: "The cache key holds the date. Next: leave it out.",
		next: "Leave the date out of the cache key",
		cwd: "/home/ada/code/infra",
		ago: 130,
	},
	{
		title: "Rate limits per customer",
		prompt: "Rate limits per customer instead of per address",
		reply: "The limits are in place; the load test is still to be run.",
		next: "Run the load test",
		cwd: "/home/ada/code/gateway",
		ago: 60 * 49,
	},
	{
		title: "Shrink the Docker image",
		prompt: "The image has 1.4 GB; make it small",
		reply: "It has 180 MB now.",
		cwd: "/home/ada/code/infra",
		ago: 60 * 24 * 5,
	},
	{
		title: "Import of old bookings",
		prompt: "Import the bookings of 2019 to 2023",
		reply: "All 412,000 rows are in.",
		cwd: "/home/ada/code/bookings",
		ago: 60 * 24 * 16,
	},
];

/** Places a typical board's sessions in one folder, or by default in several. */
export function placeSampleBoard(folder: AgentFolder, project?: string): void {
	const now = Date.now();
	for (const [index, sample] of SAMPLES.entries()) {
		const cwd = project ?? sample.cwd;
		const id = `0195a1b2-c3d4-7000-8000-0000000001${String(index).padStart(2, "0")}`;
		const at = new Date(now - sample.ago * MINUTE);
		const builder = session({ id, cwd, startedAt: new Date(at.getTime() - 30_000) })
			.user(sample.prompt)
			.edit("src/queue.ts", "const queue = [];", "const queue = new SqliteQueue(path);")
			.bash("npm test", " Test Files  6 passed (6)\n      Tests  43 passed (43)")
			.assistant(sample.reply);
		const last = builder.ids.at(-1) ?? "";
		if (sample.title !== undefined) builder.name(sample.title);
		if (sample.next !== undefined)
			builder.custom("session-suite:recap", sampleRecap({ ...sample, cwd }, id, last));
		const path = folder.put(id, builder.build(), { cwd, at });
		if (sample.state) folder.claim(id, sample.state, now - (sample.since ?? sample.ago) * MINUTE, path);
	}
}

function sampleRecap({ title, prompt, reply, next = "", cwd, ago }: Sample, id: string, last: string) {
	return recapOf({
		id: `r-${id}`,
		subject_id: id,
		headline: title ?? prompt,
		bullets: [
			`You asked: ${prompt}`,
			"Did: edited src/queue.ts (+88 −40), src/db.ts (+31 −0) · npm test → Tests 43 passed",
			`Said: ${reply.replace(next, "").trim()}`,
		],
		next_actions: [next],
		artifacts: [
			{ kind: "file", label: "", locator: "src/queue.ts" },
			{ kind: "commit", label: "1a2b3c4", locator: "take the lock before reading" },
		],
		outcome: "waiting",
		resume_hint: { seed_instruction: next },
		workspace: { cwd, git_branch: "main" },
		last_message_id: last,
		created_at: Math.floor(Date.now() / 1_000) - ago * 60,
	});
}
