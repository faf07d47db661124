/** Lists the sessions of an agent folder in its own process, so that only its memory is measured. `host`: with the host's own listing. */
import { scanSessions } from "../../session-core/sessions/listing.ts";

const [what, agentDir = ""] = process.argv.slice(2);
const host = what === "host" ? (await import("@mariozechner/pi-coding-agent")).SessionManager : undefined;
const started = performance.now();
const passed = () => performance.now() - started;
const paths = new Set<string>();
let first = 0;
let complete = 0;
if (host) {
	for (const { path } of await host.listAll()) paths.add(path);
	complete = passed();
} else {
	for await (const batch of scanSessions({ agentDir })) {
		first ||= passed();
		const { size } = paths;
		for (const { path } of batch) paths.add(path);
		// Names in the middle of files come last. Every row is known by then.
		if (paths.size > size) complete = passed();
	}
}
const peakMb = process.resourceUsage().maxRSS / 1_024;
console.log(JSON.stringify({ count: paths.size, first, complete, peakMb }));
