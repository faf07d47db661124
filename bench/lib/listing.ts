/**
 * Prints the time and peak memory that listing all sessions takes. With the argument `host`, pi's own
 * session listing is measured instead.
 */
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
		if (paths.size > size) complete = passed();
	}
}
const peakMb = process.resourceUsage().maxRSS / 1_024;
console.log(JSON.stringify({ count: paths.size, first, complete, peakMb }));
