import { join } from "node:path";
import { PROJECT_ROOT } from "../test/host/launch.ts";
import { createSandbox, type Sandbox } from "../test/host/sandbox.ts";
import { ScriptedModel } from "../test/host/scripted-model.ts";
import { startHost } from "../test/host/terminal-host.ts";
import { emptyExtension } from "./lib/empty-extension.ts";
import { median } from "./lib/median.ts";
import { processorTime } from "./lib/processor-time.ts";
import { atMost, type BenchRow, told } from "./lib/row.ts";

const PAIRS = 10;
/** What is started, and its budget: the whole package, and one extension as users have it who filter the package. */
const SUBJECTS = [
	{ name: "all three extensions", path: PROJECT_ROOT, budget: 1.05 },
	{ name: "session-recap alone", path: join(PROJECT_ROOT, "session-recap/index.ts"), budget: 1.03 },
];

/** One start of the host, in milliseconds. */
interface Start {
	/** From the start of the process to the painted prompt with all extensions bound. */
	prompt: number;
	/** From the start of the process to its end, with Ctrl+D pressed at the prompt. */
	whole: number;
	/** Processor time up to the prompt; undefined where the system does not tell. */
	cpu: number | undefined;
}

type World = { sandbox: Sandbox; model: ScriptedModel };

/**
 * Start-up with the package ÷ with one empty extension, in a real terminal, compiled sources cached: the ratio of
 * each pair of neighbours in time, then the median of the pairs.
 */
export async function rows(): Promise<BenchRow[]> {
	const model = await ScriptedModel.start();
	const sandbox = createSandbox({ modelUrl: model.url });
	try {
		const empty = emptyExtension(sandbox);
		const rows: BenchRow[] = [];
		for (const subject of SUBJECTS) {
			const pairs = await measurePairs(subject.path, empty, { sandbox, model });
			rows.push(...report(subject, pairs));
		}
		return rows;
	} finally {
		sandbox.remove();
		await model.close();
	}
}

async function measurePairs(path: string, empty: string, world: World): Promise<Array<[Start, Start]>> {
	// The first start of each fills the compile cache and the system's file cache.
	await measureStart(path, world);
	await measureStart(empty, world);
	const pairs: Array<[Start, Start]> = [];
	for (let pair = 0; pair < PAIRS; pair += 1) {
		pairs.push([await measureStart(path, world), await measureStart(empty, world)]);
	}
	return pairs;
}

function report(
	{ name, budget }: (typeof SUBJECTS)[number],
	pairs: ReadonlyArray<[Start, Start]>,
): BenchRow[] {
	const prompt = median(pairs.map(([ours, empty]) => ours.prompt / empty.prompt));
	const whole = median(pairs.map(([ours, empty]) => ours.whole / empty.whole));
	const cpu = median(pairs.map(([ours, empty]) => (ours.cpu ?? Number.NaN) / (empty.cpu ?? Number.NaN)));
	const base = median(pairs.map(([, empty]) => empty.prompt));
	return [
		atMost(`start to painted prompt, ${name} ÷ one empty extension`, prompt, budget, "×"),
		told("the same, start to end with Ctrl+D", whole, "×"),
		told("the same, processor time to the prompt", cpu, "×"),
		told("start to painted prompt, one empty extension", base, "ms"),
	];
}

async function measureStart(extension: string, { sandbox, model }: World): Promise<Start> {
	const host = await startHost({ extensions: [extension], sandbox, model });
	const prompt = performance.now() - host.startedAt;
	const cpu = processorTime(host.pid);
	host.key("ctrl+d");
	await host.exit;
	const whole = performance.now() - host.startedAt;
	await host.dispose();
	return { prompt, whole, cpu };
}
