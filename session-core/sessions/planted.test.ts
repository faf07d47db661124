import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useTemporaryFolder } from "../log/session.test-support.ts";
import { couldBePlanted } from "./planted.ts";

const root = useTemporaryFolder();

/** In these paths, the folders `home` and `clone` are under version control, but `plain` is not. */
const OWN = "home/.pi/agent/sessions/--x--/s.jsonl";
test.each<[string, boolean, { path: string; cwd?: string; parentSession?: string; here?: string }]>([
	["a file in the agent folder", false, { path: OWN }],
	["a file in the agent folder, from the home folder", false, { path: OWN, cwd: "home", here: "home" }],
	["a file in the user's home folder", false, { path: "home/sessions/s.jsonl", here: "home" }],
	["a file in a folder of the user's own", false, { path: "data/s.jsonl", cwd: "clone", here: "clone" }],
	["a file in a working tree", true, { path: "clone/.pi/s/s.jsonl" }],
	["a file in a working tree below the home folder", true, { path: "home/code/clone/s.jsonl" }],
	["a file in a working tree that a symlink leads to", true, { path: "link/s.jsonl" }],
	["a file in the current folder", true, { path: "plain/s/s.jsonl", here: "plain" }],
	["a file in the session's folder", true, { path: "plain/s/s.jsonl", cwd: "plain" }],
	["a file in a folder that the project's settings name", true, { path: "chosen/s.jsonl", here: "chooser" }],
	["a file in a folder that the session's project names", true, { path: "chosen/s.jsonl", cwd: "chooser" }],
	["a file in a folder that no project's settings name", false, { path: "chosen/s.jsonl", here: "plain" }],
	["a file in a folder that linked settings may name", true, { path: "chosen/s.jsonl", here: "linker" }],
	["a file in a folder that large settings may name", true, { path: "chosen/s.jsonl", here: "large" }],
	["a file in another folder", false, { path: "plain/s/s.jsonl", cwd: "data", here: "data" }],
	["a fork of a file in a working tree", true, { path: OWN, parentSession: "clone/s.jsonl" }],
	["a fork of a file in the agent folder", false, { path: OWN, parentSession: OWN }],
])("%s could be planted: %j", (_, isPlanted, { path, cwd = "", parentSession, here }) => {
	const at = (place: string) => join(root(), place);
	for (const folder of [
		"home/.git",
		"home/.pi/agent/sessions/--x--",
		"home/code/clone/.git",
		"clone/.git",
		"plain/s",
	])
		mkdirSync(at(folder), { recursive: true });
	for (const folder of ["data", "clone/.pi/s", "home/sessions"]) mkdirSync(at(folder), { recursive: true });
	for (const folder of ["chosen", "chooser/.pi", "linker/.pi", "large/.pi"])
		mkdirSync(at(folder), { recursive: true });
	writeFileSync(at("chooser/.pi/settings.json"), '{ "sessionDir": "../chosen" }');
	symlinkSync(at("chooser/.pi/settings.json"), at("linker/.pi/settings.json"));
	writeFileSync(at("large/.pi/settings.json"), `{ "sessionDir": "../chosen"${" ".repeat(300_000)}}`);
	symlinkSync(at("clone/.pi/s"), at("link"));
	const origin = { path: at(path), cwd: cwd && at(cwd), parentSession: parentSession && at(parentSession) };
	const place = { agentDir: at("home/.pi/agent"), cwd: here && at(here) };
	expect(couldBePlanted(origin, place)).toBe(isPlanted);
});

test.each(["", "x", "\0", "../..", "/"])(
	"a hostile parent %j is no reason to wait or to throw",
	(parentSession) => {
		const origin = { path: join(root(), "agent", "s.jsonl"), cwd: "\0", parentSession };
		expect(typeof couldBePlanted(origin, { agentDir: join(root(), "agent") })).toBe("boolean");
	},
);
