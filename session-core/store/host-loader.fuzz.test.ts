import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { parseEntries } from "./entries.test-support.ts";
import { newEntryId } from "./entry-id.ts";
import { mutate, seeded, spoil, traced } from "./fuzz.test-support.ts";
import { hostModule } from "./host-loader.test-support.ts";
import { HostLoader, type HostVerdict } from "./host-loader.ts";
import { linesOf } from "./lines.ts";
import { isRepairable, repairedLines } from "./repair.ts";
import { SessionText } from "./store.test-support.ts";

/** How many damaged files are shown to the host and to us, in all. */
const MUTATIONS = Number(process.env["SESSION_FUZZ"] ?? 50_000);
const SEED = Number(process.env["SESSION_FUZZ_SEED"] ?? 1);

/** In memory where the system has such a place: a hundred thousand small files are written. */
const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "host-loader-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, "s.jsonl");
const corpus = fileURLToPath(new URL("../../../shared/sessions/", import.meta.url));

const OURS = new SessionText()
	.user("Fix the dates")
	.assistant("On it.")
	.entry("label", { targetId: "e0000000", label: "start" })
	.user("And the docs")
	.assistant("Done.")
	.name("Dates")
	.toString();

/** Version 1 has no ids. */
const OLD = OURS.replaceAll(/"(?:id":"e[^"]*","parentId":(?:null|"[^"]*")|version":3),/g, "").replaceAll(
	/,"parentId":(?:null|"[^"]*")/g,
	"",
);
const SECOND = OURS.replace('"version":3', '"version":2');

function samples(): [string, string][] {
	const own: [string, string][] = [
		["our own", OURS],
		["of version 2", SECOND],
		["of version 1", OLD],
	];
	const real = join(corpus, "badlogic-pi-mono/session.jsonl");
	if (!existsSync(real)) return own;
	const lines = readFileSync(real, "utf8").split("\n");
	const short = [lines[0], ...lines.slice(1).filter((line) => line.length < 600)].slice(0, 8);
	return [...own, ["a real one", `${short.join("\n")}\n`]];
}

const host = await hostModule();

function ours(bytes: Buffer): HostVerdict {
	const loader = new HostLoader();
	for (const line of linesOf(bytes)) loader.add(line.bytes.toString("utf8"));
	return loader.verdict();
}

/** What the host does with the file where we say that it reads it; undefined: reads it. */
function harm(bytes: Buffer): string | undefined {
	writeFileSync(path, bytes);
	try {
		const loaded = host.loadEntriesFromFile(path);
		if (loaded.length === 0) return "no session to the host's loader";
		const session = host.SessionManager.open(path);
		// Before the host walks: nothing could stop it.
		if (isCircle(session.getEntries())) return "a walk that never ends";
		session.buildSessionContext();
		session.getBranch();
		const after = readFileSync(path);
		if (after.subarray(0, bytes.length).equals(bytes)) return undefined;
		// Brought up to date: every line that was there has to be there still.
		const kept = after.toString("utf8").trim().split("\n").length;
		return kept === [...linesOf(bytes)].filter(({ bytes: line }) => line.toString("utf8").trim()).length
			? undefined
			: "written anew, with fewer lines";
	} catch (error) {
		return String(error);
	}
}

function isCircle(entries: { id?: unknown; parentId?: unknown }[]): boolean {
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	let steps = 0;
	for (let entry = entries.at(-1); entry; entry = entry.parentId ? byId.get(entry.parentId) : undefined)
		if (++steps > entries.length) return true;
	return false;
}

function loads(bytes: Buffer): boolean {
	writeFileSync(path, bytes);
	try {
		return host.loadEntriesFromFile(path).length > 0;
	} catch {
		// The host ends itself on this file: that is no reading.
		return false;
	}
}

/** What hosts of different age disagree about, or pass on without looking at it: there, no is the answer. */
function isDoubtful(bytes: Buffer): boolean {
	const text = bytes.toString("utf8");
	const first = text.split("\n").find((line) => line.trim() !== "") ?? "";
	const isTrimmed = !isJson(first) && isJson(first.trim());
	return isTrimmed || /"cwd":(?!")|^(?:0|false|null|"")$/m.test(text);
}

function isJson(line: string): boolean {
	try {
		JSON.parse(line);
		return true;
	} catch {
		return false;
	}
}

/** What can be read of it, the host reads as a session. */
function expectRepaired(bytes: Buffer): void {
	const parsed = parseEntries(bytes);
	if (!isRepairable(parsed.entries)) return;
	const header = { id: "copy", timestamp: "2026-01-31T12:00:00.000Z", cwd: "/x", parentSession: "/y" };
	const copy = Buffer.from(`${[...repairedLines(parsed, header, newEntryId)].join("\n")}\n`);
	const found = ours(copy).reads ? harm(copy) : "we would not hand over the copy";
	if (found !== undefined) expect.unreachable(`${found}, repaired from\n${bytes.toString("utf8")}`);
}

describe.each(samples())("damaged files, %s", (_, original) => {
	it("are never said to be readable where the host would replace them, lose of them, or end", () => {
		const random = seeded(SEED);
		const whole = traced(Buffer.from(original));
		const said = { reads: 0, replaced: 0, breaks: 0, loses_lines: 0 };
		for (let count = Math.ceil(MUTATIONS / samples().length); count > 0; count--) {
			const bytes = count % 3 === 0 ? mutate(whole, random).bytes : Buffer.from(spoil(original, random));
			const verdict = ours(bytes);
			said[verdict.reads ? "reads" : verdict.why]++;
			const found = verdict.reads ? harm(bytes) : undefined;
			if (!verdict.reads && count % 4 === 0) expectRepaired(bytes);
			if (found !== undefined) expect.unreachable(`${found}\n${bytes.toString("utf8")}`);
			if (!verdict.reads && verdict.why === "replaced" && loads(bytes) && !isDoubtful(bytes)) {
				expect.unreachable(`the host reads this\n${bytes.toString("utf8")}`);
			}
		}
		// The changes reach every answer.
		expect(Object.entries(said).filter(([why, count]) => count === 0 && why !== "loses_lines")).toEqual([]);
	});
});
