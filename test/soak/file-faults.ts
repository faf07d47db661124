import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
	existsSync,
	linkSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { ledgerFile } from "../host/ledger-file.ts";
import { FULL } from "./in-host/full-disk.ts";
import { anyOf, count, type Random } from "./random.ts";
import { placeNow } from "./trash.ts";
import { PROBED, type World } from "./world.ts";

/** Removes a fault. */
export type Repair = () => void;

/** Breaks something that all tabs share. Returns how to repair it. */
export function breakSomething(world: World, random: Random): Repair {
	const [name, breakIt] = anyOf(random, Object.entries(FAULTS));
	count(world.tally.faults, name);
	return breakIt(world, random);
}

const FAULTS: Readonly<Record<string, (world: World, random: Random) => Repair>> = {
	"a folder as the ledger": ({ sandbox }) =>
		replaced(ledgerFile(sandbox.agentDir), (path) => mkdirSync(path)),
	"a pipe as the ledger": ({ sandbox }) => replaced(ledgerFile(sandbox.agentDir), pipe),
	"torn settings": ({ settings }) => {
		settings.tear();
		return () => settings.repair();
	},
	"a full disk": ({ sandbox }) => {
		const sign = join(sandbox.root, PROBED, FULL);
		mkdirSync(dirname(sign), { recursive: true });
		writeFileSync(sign, "");
		return () => rmSync(sign);
	},
	"damaged sessions": (world, random) => {
		addDamaged(world, random);
		return () => undefined;
	},
};

/** Replaces a file temporarily. Returns how to restore it. */
function replaced(path: string, place: (path: string) => void): Repair {
	mkdirSync(dirname(path), { recursive: true });
	const other = `${path}.other`;
	const original = `${path}.original`;
	place(other);
	// Synchronously, because a process that writes in between would create a new file.
	const existed = existsSync(path);
	if (existed) renameSync(path, original);
	renameSync(other, path);
	return () => {
		rmSync(path, { recursive: true });
		if (existed) renameSync(original, path);
	};
}

function pipe(path: string): void {
	execFileSync("mkfifo", [path]);
}

const DAMAGES: readonly ((text: string) => string)[] = [
	(text) => `\0\0${text}`,
	(text) => text.replace("\n", "\0\n"),
	(text) => `[]\n${text}`,
	(text) => `null\n${text}`,
	(text) => `"x"\n${text}`,
	(text) => `junk\n\ufeff${text}`,
	(text) => text.slice(0, -40),
	(text) => text.replace(/\n.{60}/, "\n"),
	() => "",
];

/** Adds a damaged copy of a session, older than the others because `pi -c` opens the newest. */
function addDamaged({ sandbox, laid }: World, random: Random): void {
	const source = anyOf(random, sandbox.placed);
	const id = randomUUID();
	const text = readFileSync(placeNow(source, sandbox) ?? source, "utf8").replace(
		/"id":"[^"]+"/,
		`"id":"${id}"`,
	);
	const path = join(sandbox.sessionDir, `2026-01-01T00-00-00-000Z_${id}.jsonl`);
	const bytes = Buffer.from(anyOf(random, DAMAGES)(text));
	const pending = `${path}.laid`;
	writeFileSync(pending, bytes);
	utimesSync(pending, new Date(2026, 0, 1), new Date(2026, 0, 1));
	laid.set(path, bytes);
	linkSync(pending, path);
	rmSync(pending);
}
