import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "../../session-core/live/liveness.mjs";
import { until } from "../host/until.ts";
import { leaseList } from "../resume/board-sessions.ts";
import { callFaults, callFigures } from "./calls.ts";
import { TORN } from "./in-host/full-disk.ts";
import { nameFaults } from "./names.ts";
import { seeded } from "./random.ts";
import { leaksIn } from "./secrets.ts";
import { endFaults } from "./session-ends.ts";
import { Tab } from "./tab.ts";
import { placeNow } from "./trash.ts";
import { PROBED, type World } from "./world.ts";

/** Checks everything that must hold after all faults are fixed and all hosts have ended, and records failures. */
export async function checkWorld(world: World): Promise<void> {
	const { failures } = world.tally;
	failures.push(...world.watch.look(), ...laidFaults(world), ...parseFaults(world));
	failures.push(...callFaults(world, callFigures(world)), ...requestLeaks(world), ...world.settings.faults());
	await afterListing(world);
	failures.push(...world.watch.look(), ...fileLeaks(world), ...nameFaults(world), ...endFaults(world));
}

/** Damaged files must be unchanged; the host may have appended to those that it can read. */
function laidFaults({ laid, sandbox }: World): string[] {
	return [...laid].flatMap(([path, bytes]) => {
		const place = placeNow(path, sandbox);
		const now = place === undefined ? undefined : readFileSync(place);
		return now?.subarray(0, bytes.length).equals(bytes) ? [] : [`a damaged file was changed: ${path}`];
	});
}

/** Every line must parse, except those that a full disk cut off. */
function parseFaults({ watch, laid, sandbox }: World): string[] {
	const pieces = tornPieces(join(sandbox.root, PROBED, TORN));
	const isTorn = (line = "") => pieces.some((piece) => line.startsWith(piece));
	return watch.files().flatMap((path) => {
		if (laid.has(path)) return [];
		const lines = readFileSync(path, "utf8").split("\n");
		const last = lines.pop();
		const torn = last === "" || isTorn(last) ? [] : [`no end of line in ${path}: ${last?.slice(0, 200)}`];
		return [
			...torn,
			...lines
				.filter((line) => !parses(line) && !isTorn(line))
				.map((line) => `no JSON in ${path}: ${line.slice(0, 200)}`),
		];
	});
}

function tornPieces(path: string): string[] {
	if (!existsSync(path)) return [];
	const lines = readFileSync(path, "utf8").split("\n");
	return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

function parses(line: string): boolean {
	try {
		JSON.parse(line);
		return true;
	} catch {
		return false;
	}
}

function requestLeaks({ model, planted }: World): string[] {
	const sides = model.requests.filter(({ kind }) => kind !== "agent");
	return sides.flatMap(({ kind, body }) =>
		leaksIn(JSON.stringify(body), planted).map((secret) => `${secret} in a call of kind ${kind}`),
	);
}

/** Secrets in our files and in our entries of sessions. */
function fileLeaks({ sandbox, watch, planted }: World): string[] {
	const ours = filesBelow(join(sandbox.agentDir, "session-suite")).map((path) => [
		path,
		readFileSync(path, "latin1"),
	]);
	const written = watch.files().map((path) => {
		// A line may follow a torn one without a line break.
		const lines = readFileSync(path, "utf8").split(/\n|(?=\{"type":")/);
		return [
			path,
			lines.filter((line) => /"customType":"session-suite|"type":"session_info"/.test(line)).join("\n"),
		];
	});
	return [...ours, ...written].flatMap(([path = "", text = ""]) =>
		leaksIn(text, planted).map((secret) => `${secret} in what we wrote to ${path}`),
	);
}

/** The next host that lists sessions must remove what killed hosts left behind, and leave nothing itself. */
async function afterListing(world: World): Promise<void> {
	const { sandbox, tally } = world;
	// A temporary file is removed once it is ten minutes old, and a soak is shorter.
	const hourAgo = Date.now() / 1_000 - 3_600;
	for (const path of temporaryFiles(sandbox.agentDir)) utimesSync(path, hourAgo, hourAgo);
	const tab = await Tab.open(world, seeded(world.seed));
	await tab.toEditor();
	tab.host.submit("/sessions --all");
	const left = () => leftBehind(sandbox.agentDir);
	try {
		await until(() => left().length === 0, {
			what: "leftovers of killed hosts to be removed",
			deadlineMs: 15_000,
		});
	} catch {
		// The remaining files are the failure.
		tally.failures.push(...left().map((path) => `left behind: ${path}`));
	}
	await tab.toEditor();
	await tab.end("quit", (host) => host.key("ctrl+d"));
	tally.failures.push(
		...leaseList(sandbox).map(({ pid }) => `a lease of ${pid} is left after the last quit`),
	);
}

function leftBehind(agentDir: string): string[] {
	const leases = leaseList({ agentDir }).filter(({ pid }) => !isAlive(pid));
	return [...temporaryFiles(agentDir), ...leases.map(({ pid }) => `a lease of ${pid}`)];
}

function temporaryFiles(agentDir: string): string[] {
	return filesBelow(join(agentDir, "session-suite")).filter((path) => /\.(?:tmp|claim)$/.test(path));
}

function filesBelow(folder: string): string[] {
	if (!existsSync(folder)) return [];
	return readdirSync(folder, { recursive: true, encoding: "utf8" })
		.map((name) => join(folder, name))
		.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}
