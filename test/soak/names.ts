import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { fileLeafId } from "../../session-core/session-file/leaf.ts";
import { parseSession } from "../host/session-files.ts";

let serial = 0;

/** A name as a person types it; who gave it is told by it. */
export function typedName(): string {
	serial += 1;
	return `mine ${serial} zx`;
}

/**
 * A person in another process names the session of the meeting that this text is about, if it is about one: right while a title
 * for it is asked for, as that is when a name is lost.
 */
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

/** Sessions of a meeting that a person named, whatever their name is now. */
export function personallyNamed({ meetings }: { meetings: readonly string[] }): string[] {
	return meetings.filter((path) => existsSync(path) && namesIn(path).some((name) => TYPED.test(name)));
}

/** In a session of a meeting nobody asks for a model's title: what a person named stays so, in whatever tab. */
export function nameFaults(world: { meetings: readonly string[] }): string[] {
	return personallyNamed(world).flatMap((path) => {
		const names = namesIn(path);
		const last = names.at(-1) ?? "";
		return TYPED.test(last) ? [] : [`a person's name is lost: ${names.join(" → ")} in ${path}`];
	});
}
