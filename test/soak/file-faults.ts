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
import type { Random } from "../../session-core/session-file/fuzz.test-support.ts";
import { ledgerFile } from "../host/ledger-file.ts";
import { anyOf, count } from "./choose.ts";
import { FULL } from "./in-host/full-disk.ts";
import { placeNow } from "./trash.ts";
import { PROBED, type World } from "./world.ts";

/** Takes a fault away again. */
export type Mend = () => void;

/** Breaks something that all tabs share; resolves with how to mend it. */
export function breakSomething(world: World, random: Random): Mend {
	const [name, breakIt] = anyOf(random, Object.entries(FAULTS));
	count(world.tally.faults, name);
	return breakIt(world, random);
}

const FAULTS: Readonly<Record<string, (world: World, random: Random) => Mend>> = {
	"a folder as the ledger": ({ sandbox }) =>
		replaced(ledgerFile(sandbox.agentDir), (path) => mkdirSync(path)),
	"a pipe as the ledger": ({ sandbox }) => replaced(ledgerFile(sandbox.agentDir), pipe),
	"torn settings": ({ settings }) => {
		settings.tear();
		return () => settings.mend();
	},
	"a full disk": ({ sandbox }) => {
		const sign = join(sandbox.root, PROBED, FULL);
		mkdirSync(dirname(sign), { recursive: true });
		writeFileSync(sign, "");
		return () => rmSync(sign);
	},
	"damaged sessions": (world, random) => {
		layDamaged(world, random);
		return () => undefined;
	},
};

/** Moves what stands there aside, puts something else in its place, and gives the way back. */
function replaced(path: string, place: (path: string) => void): Mend {
	mkdirSync(dirname(path), { recursive: true });
	const other = `${path}.other`;
	const aside = `${path}.aside`;
	place(other);
	// Both steps at once: whoever writes in between would make a new file.
	const stood = existsSync(path);
	if (stood) renameSync(path, aside);
	renameSync(other, path);
	return () => {
		rmSync(path, { recursive: true });
		if (stood) renameSync(aside, path);
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

/** A damaged copy of a session, older than the others: `pi -c` takes the newest. */
function layDamaged({ sandbox, laid }: World, random: Random): void {
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
