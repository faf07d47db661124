// One of several processes that share a budget: reserves a call for each of several states and prints
// the states for which it reserved a call.

import { Budget } from "../../session-core/pi/model/budget.ts";
import { modelOf } from "../../session-core/pi/model/model.test-support.ts";

const [agentDir = "", now = "0", prefix = "", states = "0", limit = "0", by = "auto", user] =
	process.argv.slice(2);
// The superuser can read everything, so the process switches to `nobody`. It does so only now, because
// `nobody` may be unable to read this program's modules.
if (user === "nobody" && process.getuid?.() === 0) process.setuid?.(65534);
const said: string[] = [];
const keys = new Set<string>();
const budget = new Budget({
	agentDir,
	session: prefix,
	feature: "recap",
	limit: () => Number(limit),
	now: () => Number(now),
	log: () => undefined,
	ui: { notify: (text) => void said.push(text) },
	sayOnce: (key, say) => {
		if (!keys.has(key)) say();
		keys.add(key);
	},
});
const price = { input: 0.5, output: 0.5, cacheRead: 0, cacheWrite: 0 };
const model = modelOf({ cost: price });
const got: string[] = [];
for (let nth = 0; nth < Number(states); nth++) {
	const state = `${prefix}-${nth}`;
	const reserved = budget.reserve({
		question: `${process.pid}-${nth}`,
		state,
		by: by === "typed" ? "typed" : "auto",
		model,
		characters: 500_000,
		maxTokens: 125_000,
	});
	if (!reserved.ok) continue;
	got.push(state);
	reserved.settle({ ok: true, text: "", usage: { input: 1_000, output: 50, cost: 0.125 } });
}
process.stdout.write(JSON.stringify({ got, said, problem: budget.problem() }));
