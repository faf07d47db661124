// One listing by a host's own function, in a process and on the Node that the host runs on: prints a line of JSON.
// Usage: node host-listing.mjs HOST/dist/index.js
import { pathToFileURL } from "node:url";

const { SessionManager } = await import(pathToFileURL(process.argv[2]).href);
const started = performance.now();
const { length: count } = await SessionManager.listAll();
const complete = performance.now() - started;
const { user, system } = process.cpuUsage();
const cpu = (user + system) / 1_000;
console.log(JSON.stringify({ count, complete, cpu, peakMb: process.resourceUsage().maxRSS / 1_024 }));
