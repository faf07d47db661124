// One of several processes on one session: tries to get the one call of each state, and says which it got.
import { createAsked } from "../../session-core/usage/asked.ts";

const [agentDir = "", session = "", states = "0"] = process.argv.slice(2);
const asked = createAsked({ agentDir, session, now: Date.now });
const got: string[] = [];
for (let state = 0; state < Number(states); state++) {
	const claimed = asked.claim({ feature: "recap", stamp: `m${state}`, by: "auto" });
	if (claimed.ok) got.push(`m${state}`);
}
process.stdout.write(got.join(" "));
