import { describe, expect, it } from "vitest";
import { ASK, DONE, digestOf, EDIT, type Happening } from "./log.test-support.ts";

describe("the thread of the task", () => {
	const report = { says: "The parser takes trailing commas now, in arrays and objects." };
	const pivot: Happening = {
		user: "Write a changelog for the release and publish the website with screenshots",
	};
	const work: Happening[] = [
		{ tool: "write", args: { path: "CHANGELOG.md", content: "x" } },
		{ tool: "write", args: { path: "site/index.html", content: "x" } },
		{ says: "Changelog and site are written." },
	];

	it("is the newest request that reads as a task of its own", () => {
		const digest = digestOf([ASK, EDIT, report, pivot, ...work]);
		expect(digest.task).toBe((pivot as { user: string }).user);
		expect(digest.opening).toBe((ASK as { user: string }).user);
		expect(digest.files.filter((file) => file.inThread).map(({ path }) => path)).toEqual([
			"CHANGELOG.md",
			"site/index.html",
		]);
	});

	it.each(["ok", "continue", "응 해줘", "thanks, that is perfect"])("goes on over %j", (word) => {
		expect(digestOf([ASK, EDIT, report, { user: word }, { says: "👍" }]).task).toBe(
			(ASK as { user: string }).user,
		);
	});

	it("goes on while its work is only built, deployed or handed over", () => {
		const digest = digestOf([
			ASK,
			EDIT,
			report,
			{ user: "ok, rebuild and redeploy the daemon and the app" },
			{ bash: "pkill daemon" },
			{ bash: "npm run build" },
			{ bash: "rm -f /tmp/daemon.sock" },
			{ bash: "./start-daemon" },
			{ bash: "curl -s localhost:7837/health" },
			{
				says: "Everything was rebuilt and started: ".padEnd(500, "daemon 24508, app 25095, socket cleaned; "),
			},
		]);
		expect(digest.task).toBe((ASK as { user: string }).user);
	});

	it("is the second request where the first was a few words", () => {
		const digest = digestOf([
			{ user: "fix typo in README" },
			{ tool: "edit", args: { path: "README.md" }, diff: "+ 1 a" },
			{ bash: "git commit -am x", out: "[main 1a2b3c4] Fix typo" },
			{ says: "Fixed." },
			{ user: "Now add a dark theme to the settings page, with a switch that remembers the choice" },
			{ tool: "edit", args: { path: "src/settings.ts" }, diff: "+ 9 a" },
			{ tool: "edit", args: { path: "src/theme.ts" }, diff: "+ 9 a" },
			{ says: "The settings page has a dark theme and a switch." },
		]);
		expect(digest.task).toMatch(/dark theme/);
		expect(digest.links.filter(({ inThread }) => inThread)).toEqual([]);
	});

	it("is new whatever the reply before it asked", () => {
		const digest = digestOf([
			ASK,
			EDIT,
			{ says: `${report.says} Want me to open a PR?` },
			{ user: "The nightly backup job fails since Monday, please find the reason and repair it" },
			{ bash: "systemctl status backup", out: "failed" },
			{ tool: "edit", args: { path: "ops/backup.sh" }, diff: "+ 1 a" },
			{ tool: "edit", args: { path: "ops/backup.timer" }, diff: "+ 1 a" },
			{ says: "The disk was full; backup.sh now removes old copies first." },
		]);
		expect(digest.task).toMatch(/nightly backup/);
	});

	it.each([
		["yes please", true],
		["no, leave it", true],
		["what did that cost us?", false],
	])("an open question is closed by %j: %j", (answer, isClosed) => {
		const digest = digestOf([
			ASK,
			EDIT,
			{ says: `${report.says.repeat(8)}\n\nShould I commit this?` },
			{ user: answer },
			{ says: "Fine." },
		]);
		expect(digest.questions).toEqual(isClosed ? [] : ["Should I commit this?"]);
	});

	it("outlives a side question, whose report is not the work's", () => {
		const digest = digestOf([
			ASK,
			EDIT,
			{ says: report.says.repeat(8) },
			{ user: "tell a joke" },
			{ says: "A bug walks in." },
		]);
		expect(digest.task).toBe((ASK as { user: string }).user);
		expect(digest.mainReply).toBe(report.says.repeat(8));
		expect(digest.lastReply).toBe("A bug walks in.");
	});

	it("takes a summary's goal while the thread is older than the summary", () => {
		const compaction: Happening = {
			entry: { type: "compaction", summary: "## Goal\nRework the parser\n\n## Done\n- x" },
		};
		expect(digestOf([ASK, EDIT, compaction, { user: "go on" }, DONE]).goal).toBe("Rework the parser");
		expect(digestOf([compaction, pivot, ...work]).goal).toBeUndefined();
	});

	it("keeps what an interrupted run was about to do, and a question that nobody took up", () => {
		const cut = digestOf([
			ASK,
			{ bash: "ls" },
			{ says: "Let me remove the old printer.", stop: "toolUse" },
			{ bash: "ls" },
			{ user: "does it run on windows as well?" },
			{ says: "It does." },
		]);
		expect(cut.interrupted).toBe("Let me remove the old printer.");
		const over = digestOf([
			ASK,
			{ bash: "ls" },
			{ says: "Let me remove the old printer.", stop: "toolUse" },
			{ user: "no, move it to lib/ instead please" },
			{ bash: "git mv printer.ts lib/" },
			{ says: "Moved." },
		]);
		expect(over.interrupted).toBeUndefined();
		const asked = digestOf([
			ASK,
			EDIT,
			{ says: "Done. Ready for rpc.md next?" },
			{ user: "no, first rename the parser option please" },
			EDIT,
			{ says: "Renamed." },
		]);
		expect(asked.pending).toBe("Ready for rpc.md next?");
	});
});
