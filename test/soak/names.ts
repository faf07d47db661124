import { existsSync, readFileSync } from "node:fs";
import { parseSession } from "../host/session-files.ts";
import type { World } from "./world.ts";

let serial = 0;

/** A name as a person types it; who gave it is told by it. */
export function typedName(): string {
	serial += 1;
	return `mine ${serial} zx`;
}

const TYPED = /^mine \d+ zx$/;

/** Names of a session, oldest first. */
function namesIn(path: string): string[] {
	return parseSession(readFileSync(path, "utf8")).flatMap(({ type, name }) =>
		type === "session_info" && typeof name === "string" ? [name] : [],
	);
}

/** Sessions of a meeting that a person named, whatever their name is now. */
export function personallyNamed({ meetings }: Pick<World, "meetings">): string[] {
	return meetings.filter((path) => existsSync(path) && namesIn(path).some((name) => TYPED.test(name)));
}

/** In a session of a meeting nobody asks for a model's title: what a person named stays so, in whatever tab. */
export function nameFaults(world: Pick<World, "meetings">): string[] {
	return personallyNamed(world).flatMap((path) => {
		const names = namesIn(path);
		const last = names.at(-1) ?? "";
		return TYPED.test(last) ? [] : [`a person's name is lost: ${names.join(" → ")} in ${path}`];
	});
}
