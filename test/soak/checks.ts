import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { openLedger } from "../../session-core/pi/model/ledger.ts";
import { isAlive } from "../../session-core/sessions/live/liveness.mjs";
import { until } from "../host/until.ts";
import { leaseList } from "../resume/board-sessions.ts";
import { seeded } from "../support/random.ts";
import { Tab } from "./tab.ts";
import {
	leaksIn,
	nameFaults,
	placesNow,
	sessionFilesOf,
	textIfThere,
	tornWrites,
	type World,
} from "./world.ts";

/**
 * Checks everything that must hold after all faults are fixed and all hosts have ended, and records
 * failures.
 */
export async function checkWorld(world: World, seen: SeenLines): Promise<void> {
	const { failures } = world.tally;
	failures.push(...seen.look(), ...parseFaults(world), ...callFaults(world));
	failures.push(...settingsFaults(world));
	await afterListing(world);
	failures.push(...seen.look(), ...leaks(world), ...nameFaults(world));
}

/** Remembers every complete line of all session files. None may disappear. */
export class SeenLines {
	readonly #world: World;
	readonly #files = new Map<string, { stamp: string; lines: Set<string> }>();

	constructor(world: World) {
		this.#world = world;
		this.look();
	}

	get count(): number {
		return [...this.#files.values()].reduce((sum, { lines }) => sum + lines.size, 0);
	}

	/** Reads new lines. Returns a fault for each line that is missing. */
	look(): string[] {
		return [...new Set([...sessionFilesOf(this.#world), ...this.#files.keys()])].flatMap((path) => {
			const places = placesNow(path, this.#world);
			if (places.length === 0) return this.#isUnusedCopy(path) ? [] : [`the whole of ${path}`];
			const stamp = places
				.map((place) => statSync(place, { throwIfNoEntry: false }))
				.map((stat) => `${stat?.size} ${stat?.mtimeMs}`)
				.join(" ");
			const before = this.#files.get(path);
			if (before?.stamp === stamp) return [];
			const texts = places.map(textIfThere);
			// The file has just been moved to the trash. The next call finds it in the trash.
			if (texts.includes(undefined)) return [];
			// The text after the last newline may be an incomplete line.
			const lines = new Set(texts.flatMap((text = "") => text.split("\n").slice(0, -1)));
			this.#files.set(path, { stamp, lines });
			const gone = [...(before?.lines ?? [])].filter((line) => !lines.has(line));
			return gone.map((line) => `lost from ${places.join(" and ")}: ${line.slice(0, 200)}`);
		});
	}

	/**
	 * Whether a missing file was the copy for a fork to which the host refused to switch, for example
	 * because the disk was full. The board removes such a copy if nobody has used it. Nothing is lost if
	 * no process has the copy open and all of its lines were also seen in another file.
	 */
	#isUnusedCopy(path: string): boolean {
		const seen = this.#files.get(path);
		// The file was only listed, and none of its lines was read.
		if (!seen) return true;
		const [header = "", ...entries] = seen.lines;
		const others = [...this.#files].flatMap(([other, { lines }]) => (other === path ? [] : [...lines]));
		const known = new Set(others.map(withoutPlace));
		return (
			header.includes('"parentSession":') &&
			entries.every((line) => known.has(withoutPlace(line))) &&
			!leaseList(this.#world.sandbox).some(({ sessionFile, pid }) => sessionFile === path && isAlive(pid))
		);
	}
}

/** An entry without its id and its parent, which may be new in a copy. */
function withoutPlace(line: string): string {
	return line.replace(/"(?:id|parentId)":(?:null|"[^"]*"),?/g, "");
}

/** Every line must parse, except those that a full disk cut off. */
function parseFaults(world: World): string[] {
	const torn = tornWrites(world);
	const isWhole = (line: string): boolean => {
		try {
			JSON.parse(line);
			return true;
		} catch {
			return torn.some(([, piece]) => line.startsWith(piece));
		}
	};
	return sessionFilesOf(world).flatMap((path) => {
		const lines = readFileSync(path, "utf8").split("\n");
		if (lines.at(-1) === "") lines.pop();
		return lines.filter((line) => !isWhole(line)).map((line) => `no JSON in ${path}: ${line.slice(0, 200)}`);
	});
}

function settingsFaults({ sandbox, settings }: World): string[] {
	const now = readFileSync(join(sandbox.agentDir, "session-suite.json"), "utf8");
	return now === settings ? [] : [`the settings were written by a process: ${now}`];
}

export function callFigures(world: World) {
	const ledger = openLedger(world.sandbox.agentDir, Date.now);
	const calls = ledger.calls().filter(({ by }) => by === "auto");
	return {
		/** Side calls that reached the model. */
		made: world.model.requests.filter(({ kind }) => kind !== "agent").length,
		/** The automatic calls in the ledger. */
		counted: calls.length,
		/**
		 * The last call of each automatic request that was not withdrawn. A request may try several models.
		 */
		automatic: [...new Map(calls.map((call) => [call.question, call])).values()],
		/** States of all conversations: one for each message in the session files. */
		states: sessionFilesOf(world).flatMap(
			(path) => readFileSync(path, "utf8").match(/"type":"message"/g) ?? [],
		).length,
	};
}

/**
 * Every call must correspond to an automatic call in the ledger or to a typed command. Each feature is
 * permitted one request per state.
 */
function callFaults(world: World): string[] {
	const { made, counted, automatic, states } = callFigures(world);
	const { typedCalls } = world.tally;
	const requested = automatic.map(({ feature, state }) => `${feature} ${state}`);
	const faults = requested
		.filter((state, index) => requested.indexOf(state) < index)
		.map((state) => {
			const calls = automatic.filter(({ feature, state: of }) => `${feature} ${of}` === state);
			return `several automatic calls for one state: ${JSON.stringify(calls)}`;
		});
	if (made > counted + typedCalls)
		faults.push(`${made} side calls, but ${counted} automatic calls and ${typedCalls} commands`);
	for (const feature of ["recap", "title", "resume"]) {
		const calls = requested.filter((state) => state.startsWith(`${feature} `)).length;
		if (calls > states) faults.push(`${calls} calls for a ${feature} in ${states} states`);
	}
	return faults;
}

/**
 * Secrets in side calls, in the suite's own files, and in the entries that the suite has written to
 * sessions.
 */
function leaks(world: World): string[] {
	const sent = world.model.requests
		.filter(({ kind }) => kind !== "agent")
		.map(({ kind, body }) => [`a call of kind ${kind}`, JSON.stringify(body)]);
	const ours = ourFiles(world).map((path) => [path, readFileSync(path, "latin1")]);
	const written = sessionFilesOf(world).map((path) => {
		// A line may follow a torn one without a line break.
		const lines = readFileSync(path, "utf8").split(/\n|(?=\{"type":")/);
		const added = lines.filter((line) => /"customType":"session-suite|"type":"session_info"/.test(line));
		return [`our entries in ${path}`, added.join("\n")];
	});
	return [...sent, ...ours, ...written].flatMap(([where = "", text = ""]) =>
		leaksIn(text, world).map((secret) => `${secret} in ${where}`),
	);
}

/**
 * The next host that lists sessions must remove what killed hosts left behind, and leave nothing
 * itself.
 */
async function afterListing(world: World): Promise<void> {
	const { sandbox, tally } = world;
	const temporary = () => ourFiles(world).filter((path) => /\.(?:tmp|claim)$/.test(path));
	const left = () => [
		...temporary(),
		...leaseList(sandbox).flatMap(({ pid }) => (isAlive(pid) ? [] : [`a lease of ${pid}`])),
	];
	// A temporary file is removed once it is ten minutes old, and a soak run is shorter than that.
	const hourAgo = Date.now() / 1_000 - 3_600;
	for (const path of temporary()) utimesSync(path, hourAgo, hourAgo);
	const tab = await Tab.open(world, seeded(world.seed));
	await tab.submit("/sessions --all");
	await until(() => left().length === 0, "leftovers of killed hosts to be removed", {
		deadlineMs: 15_000,
		detail: () => left().join("\n"),
	});
	await tab.end("quit");
	tally.failures.push(
		...leaseList(sandbox).map(({ pid }) => `a lease of ${pid} is left after the last quit`),
	);
}

function ourFiles({ sandbox }: World): string[] {
	const folder = join(sandbox.agentDir, "session-suite");
	if (!existsSync(folder)) return [];
	return readdirSync(folder, { recursive: true, encoding: "utf8" })
		.map((name) => join(folder, name))
		.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}
