import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A session: its text, a function that returns it for the project's folder, or a file to copy. */
export type SessionFixture = string | ((cwd: string) => string) | { path: string };

export interface SessionLine {
	type: string;
	id?: string;
	[field: string]: unknown;
}

/** The folder in which the host stores a project's sessions (the host's `getDefaultSessionDir`). */
export function sessionFolder(agentDir: string, cwd: string): string {
	const name = cwd.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-");
	return join(agentDir, "sessions", `--${name}--`);
}

/**
 * Writes a fixture into the project's session folder. Its header gets this project's path, and its
 * modification time is that of the last entry, because the host's `-c` opens the file that was changed
 * last.
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

export function parseSession(text: string): SessionLine[] {
	return text.split("\n").flatMap((line) => parseLine(line) ?? []);
}

/** Reads a session file. Empty if there is none: some hosts write nothing before the first reply. */
export function readSession(path: string): SessionLine[] {
	return existsSync(path) ? parseSession(readFileSync(path, "utf8")) : [];
}

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
		// Tests may write torn lines.
		return undefined;
	}
}

function timeOf(line: SessionLine | undefined): Date | undefined {
	const timestamp = line?.timestamp;
	if (typeof timestamp !== "string") return undefined;
	const time = new Date(timestamp);
	return Number.isNaN(time.getTime()) ? undefined : time;
}
