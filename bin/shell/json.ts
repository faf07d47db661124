import { outgoing } from "../../session-core/text/outgoing.ts";
import type { Sink } from "./world.ts";

/** Prints a value for programs: whatever a session's file says, no control sequence and no secret leaves. */
export function printJson(value: unknown, out: Sink): void {
	out.write(`${JSON.stringify(outgoing(value), null, 2)}\n`);
}
