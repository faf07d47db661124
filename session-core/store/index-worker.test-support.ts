// One of several processes at one index. Arguments: agent folder, folder of sessions, name, first round, rounds.
import { loadIndex, saveIndex } from "./index-file.ts";
import type { Steps } from "./pace.ts";

const [agentDir = "", folder = "", name = "", from = "0", to = "0"] = process.argv.slice(2);
const isKept = { has: (known: string) => !known.startsWith("gone") };

for (let round = Number(from); round < Number(to); round++) {
	const index = finish(loadIndex(agentDir, folder));
	// Now and then something is forgotten: then the whole is written anew.
	if (round % 7 === 0) index.keepOnly(isKept);
	for (const one of [`${name}-${round}`, `gone-${name}-${round}`])
		index.set(one, { size: 1, mtimeMs: 1 }, { skipped: "not_session" });
	if (finish(saveIndex(agentDir, index)).ok) process.stdout.write(`${round}\n`);
}

function finish<T>(steps: Steps<never, T>): T {
	for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}
