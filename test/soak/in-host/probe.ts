import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import {
	type ExtensionAPI,
	type ExtensionCommandContext,
	getAgentDir,
	InteractiveMode,
} from "@mariozechner/pi-coding-agent";
import { leaseList } from "../../resume/board-sessions.ts";
import { HeldThings } from "./held.ts";

/** What a session left behind in its process. */
export interface SessionEnd {
	reason: string;
	/** Resources that the suite's code still holds open. */
	held: string[];
	/** Leases of this process. */
	leases: number;
	/** Growth of the heap per replacement of a whole series, in bytes. */
	heapGrowth?: number;
}

/** On the global object, because the host loads extensions anew for each session. */
const KEY = Symbol.for("pi-session-suite:soak");
const kept: typeof globalThis & { [KEY]?: HeldThings } = globalThis;

/** The first replacements load what is loaded only once. */
const WARM_UP = 5;

/** Extension of the soak, loaded after the suite: records what an ended session left behind. */
export default function probe(pi: ExtensionAPI): void {
	const folder = process.env["SOAK_FOLDER"] ?? "";
	mkdirSync(folder, { recursive: true });
	const things = kept[KEY] ?? begin();
	things.watchBus(pi.events);
	const record = (end: SessionEnd) =>
		appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(end)}\n`);
	const left = () => {
		const own = leaseList({ agentDir: getAgentDir() }).filter(({ pid }) => pid === process.pid);
		return { held: things.open(), leases: own.length };
	};

	pi.on("session_shutdown", ({ reason }) => record({ reason, ...left() }));
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
			const moments = args.split(",").map(Number);
			await replaceAgain(moments.slice(0, WARM_UP), ctx, async (warm) => {
				const before = usedHeap();
				await replaceAgain(moments.slice(WARM_UP), warm, async () => {
					const heapGrowth = (usedHeap() - before) / (moments.length - WARM_UP);
					record({ reason: "a series", held: [], leases: 0, heapGrowth });
				});
			});
		},
	});
}

function begin(): HeldThings {
	const things = new HeldThings();
	things.begin();
	kept[KEY] = things;
	reportFatalErrors();
	return things;
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
	done: (last: ExtensionCommandContext) => Promise<void>,
): Promise<void> {
	const [moment, ...later] = moments;
	if (moment === undefined) return done(ctx);
	await pause(moment);
	await ctx.newSession({ withSession: (next) => replaceAgain(later, next, done) });
}

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** Bytes after a garbage collection. */
function usedHeap(): number {
	collect();
	return process.memoryUsage().heapUsed;
}
