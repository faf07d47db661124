import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A session to put where the host finds it: its text, a function of the project's folder, or a file to copy. */
export type SessionFixture = string | ((cwd: string) => string) | { path: string };

/** One line of a session file, header included. */
export interface SessionLine {
	type: string;
	id?: string;
	[field: string]: unknown;
}

/** Where the host keeps sessions of a project (its `getDefaultSessionDir`). */
export function sessionFolder(agentDir: string, cwd: string): string {
	const name = cwd.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-");
	return join(agentDir, "sessions", `--${name}--`);
}

/**
 * Write a fixture into the project's session folder. Its header is made to name this project, and the file is as
 * old as its last entry says, because the host's `-c` takes the file that was changed last.
 */
export function placeSession(fixture: SessionFixture, cwd: string, folder: string): string {
	const text = rehome(readFixture(fixture, cwd), cwd);
	const lines = parseSession(text);
	const first = timeOf(lines[0]) ?? new Date();
	const last = timeOf(lines.findLast((line) => timeOf(line) !== undefined)) ?? first;
	const stamp = first.toISOString().replace(/[:.]/g, "-");
	const path = join(folder, `${stamp}_${lines[0]?.id ?? "fixture"}.jsonl`);
	writeFileSync(path, text);
	utimesSync(path, last, last);
	return path;
}

/** The parsable lines of a session's text. */
export function parseSession(text: string): SessionLine[] {
	return text.split("\n").flatMap((line) => parseLine(line) ?? []);
}

/** Read a session file; empty where there is none (the host writes nothing before the first reply). */
export function readSession(path: string): SessionLine[] {
	return existsSync(path) ? parseSession(readFileSync(path, "utf8")) : [];
}

/** Session files of a folder, the last changed one first. */
export function sessionFiles(folder: string): string[] {
	if (!existsSync(folder)) return [];
	const paths = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
	return paths
		.map((name) => join(folder, name))
		.map((path) => ({ path, changed: statSync(path).mtimeMs }))
		.sort((one, other) => other.changed - one.changed || other.path.localeCompare(one.path))
		.map(({ path }) => path);
}

function readFixture(fixture: SessionFixture, cwd: string): string {
	if (typeof fixture === "string") return fixture;
	return typeof fixture === "function" ? fixture(cwd) : readFileSync(fixture.path, "utf8");
}

function rehome(text: string, cwd: string): string {
	const end = text.indexOf("\n");
	const header = parseLine(end < 0 ? text : text.slice(0, end));
	if (header?.type !== "session") return text;
	return `${JSON.stringify({ ...header, cwd })}${end < 0 ? "\n" : text.slice(end)}`;
}

function parseLine(line: string): SessionLine | undefined {
	if (line.trim() === "") return undefined;
	try {
		const value: unknown = JSON.parse(line);
		return typeof value === "object" && value !== null ? (value as SessionLine) : undefined;
	} catch {
		// Torn lines are part of what tests look at; whoever counts them reads the text.
		return undefined;
	}
}

function timeOf(line: SessionLine | undefined): Date | undefined {
	const timestamp = line?.timestamp;
	if (typeof timestamp !== "string") return undefined;
	const time = new Date(timestamp);
	return Number.isNaN(time.getTime()) ? undefined : time;
}
