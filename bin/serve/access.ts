import { createHash, timingSafeEqual } from "node:crypto";
import type { Tokens } from "./tokens.ts";

/** What a token allows: `read` looks, `act` also writes recaps and resumes. */
export type Access = "act" | "read";

/** What the `Authorization` header allows; undefined: nothing. Takes as long for a token that is nearly right as for any other. */
export function accessOf(authorization: string | undefined, tokens: Tokens): Access | undefined {
	const given = /^Bearer ([\w-]{1,200})$/i.exec(authorization ?? "")?.[1] ?? "";
	const isAct = isSame(given, tokens.act);
	const isRead = isSame(given, tokens.read);
	if (isAct) return "act";
	return isRead ? "read" : undefined;
}

/** Digests have one length, whatever was sent. */
function isSame(one: string, other: string): boolean {
	return timingSafeEqual(digest(one), digest(other));
}

function digest(text: string): Buffer {
	return createHash("sha256").update(text).digest();
}
