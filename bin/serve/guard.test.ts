import { expect, test } from "vitest";
import { obstacleTo } from "./guard.ts";

const from = { host: "192.168.1.7:7878", origin: undefined, site: undefined };
const hosts = new Set(["192.168.1.7"]);

test.each([
	["read", "read", "192.168.1.20", undefined],
	["act", "read", "192.168.1.20", undefined],
	["act", "act", "192.168.1.20", "not_local"],
	["read", "act", "192.168.1.20", "read_only"],
	["act", "act", "127.0.0.1", undefined],
	["act", "act", undefined, "not_local"],
] as const)("a token that may %s, where it takes %s, from %s: %s", (access, needs, address, reason) => {
	expect(obstacleTo({ from, access, needs, address }, hosts)?.reason).toBe(reason);
});
