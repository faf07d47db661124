import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { fileLeafId } from "../../session-core/session-file/leaf.ts";
import { parseSession } from "../host/session-files.ts";

let serial = 0;

/** A name that a person types; its form shows that. */
export function typedName(): string {
	serial += 1;
	return `mine ${serial} zx`;
}

/** Names the shared session that a title request is about from another process, while the request is in flight. */
export function nameFromElsewhere(meetings: readonly string[], about: string): void {
	const path = meetings[Number(/\(case (\d+)\)/.exec(about)?.[1] ?? -1)];
	const parentId = path !== undefined && existsSync(path) ? fileLeafId(path) : undefined;
	if (path === undefined || parentId === undefined) return;
	const entry = { type: "session_info", id: randomUUID().slice(0, 8), parentId, name: typedName() };
	appendFileSync(path, `${JSON.stringify({ ...entry, timestamp: new Date().toISOString() })}\n`);
}

const TYPED = /^mine \d+ zx$/;

/** Names of a session, oldest first. */
function namesIn(path: string): string[] {
	return parseSession(readFileSync(path, "utf8")).flatMap(({ type, name }) =>
		type === "session_info" && typeof name === "string" ? [name] : [],
	);
}

/** Shared sessions that a person has named at some time. */
export function personallyNamed({ meetings }: { meetings: readonly string[] }): string[] {
	return meetings.filter((path) => existsSync(path) && namesIn(path).some((name) => TYPED.test(name)));
}

/** In shared sessions, a person's name must never be replaced by a title. */
export function nameFaults(world: { meetings: readonly string[] }): string[] {
	return personallyNamed(world).flatMap((path) => {
		const names = namesIn(path);
		const last = names.at(-1) ?? "";
		return TYPED.test(last) ? [] : [`a person's name is lost: ${names.join(" → ")} in ${path}`];
	});
}
