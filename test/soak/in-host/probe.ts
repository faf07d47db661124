import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
	type ExtensionAPI,
	type ExtensionCommandContext,
	getAgentDir,
	InteractiveMode,
} from "@mariozechner/pi-coding-agent";
import { HeldThings } from "./held.ts";
import { type Measured, measure, ownLeaseCount } from "./measure.ts";

/** What a session left behind in its process. */
export interface SessionEnd extends Measured {
	reason: string;
	/** Resources that the suite's code still holds open. */
	held: string[];
	/** Leases of this process. */
	leases: number;
	/** Number of replacements in this series without prompts; undefined outside a series. */
	inRow?: number;
}

interface Shared {
	things: HeldThings;
	inRow: number | undefined;
}

/** On the global object, because the host loads extensions anew for each session. */
const KEY = Symbol.for("pi-session-suite:soak");
const kept: typeof globalThis & { [KEY]?: Shared } = globalThis;

/** Extension of the soak, loaded after the suite: records what an ended session left behind. */
export default function probe(pi: ExtensionAPI): void {
	const folder = process.env["SOAK_FOLDER"] ?? "";
	mkdirSync(folder, { recursive: true });
	const shared = kept[KEY] ?? begin();
	shared.things.watchBus(pi.events);

	pi.on("session_shutdown", ({ reason }) => {
		const { things, inRow } = shared;
		const left = { held: things.open(), leases: ownLeaseCount(getAgentDir()), ...measure() };
		const end: SessionEnd = { reason, ...left, ...(inRow !== undefined && { inRow }) };
		appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(end)}\n`);
	});

	pi.registerCommand("soak-crash", {
		description: "End the host with an uncaught error",
		handler: async () => {
			setTimeout(() => {
				throw new Error("the soak ends this host");
			}, 0);
		},
	});
	pi.registerCommand("soak-replace", {
		description: "Replace the session again and again, after so many milliseconds each",
		handler: async (args, ctx) => {
			shared.inRow = 0;
			await replaceAgain(args.split(",").map(Number), ctx, shared);
		},
	});
}

function begin(): Shared {
	const shared = { things: new HeldThings(), inRow: undefined };
	shared.things.begin();
	kept[KEY] = shared;
	reportFatalErrors();
	return shared;
}

/** Writes the reason to the terminal if the host cannot open a session, because it exits before it paints it. */
function reportFatalErrors(): void {
	// Private in the host's types.
	const mode = InteractiveMode.prototype as unknown as {
		handleFatalRuntimeError(prefix: string, error: unknown): Promise<void>;
	};
	const end = mode.handleFatalRuntimeError;
	mode.handleFatalRuntimeError = function report(prefix, error) {
		const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
		process.once("exit", () =>
			process.stderr.write(`\r\nfatal: ${prefix}: ${why.replaceAll("\n", "\r\n")}\r\n`),
		);
		return end.call(this, prefix, error);
	};
}

async function replaceAgain(
	moments: readonly number[],
	ctx: ExtensionCommandContext,
	shared: Shared,
): Promise<void> {
	const [moment, ...later] = moments;
	if (moment === undefined) {
		shared.inRow = undefined;
		return;
	}
	await pause(moment);
	shared.inRow = (shared.inRow ?? 0) + 1;
	await ctx.newSession({ withSession: (next) => replaceAgain(later, next, shared) });
}
