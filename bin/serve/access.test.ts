import { describe, expect, test } from "vitest";
import { accessOf, isForeign, isKnownHost, isLoopback } from "./access.ts";

const LAN = new Set(["192.168.1.7"]);

describe("names that are answered", () => {
	test.each([
		["127.0.0.1:7878", true],
		["localhost", true],
		["LOCALHOST:9000", true],
		["[::1]:7878", true],
		["192.168.1.7:7878", true],
		["192.168.1.8:7878", false],
		["127.0.0.1.nip.io", false],
		["localhost.evil.example", false],
		["evil.example", false],
		["127.0.0.1:7878:80", false],
		["127.0.0.1/evil", false],
		["", false],
		[undefined, false],
	])("%s: %s", (host, answered) => {
		expect(isKnownHost(host, LAN)).toBe(answered);
	});
});

describe("pages of other origins", () => {
	const host = "127.0.0.1:7878";
	test.each([
		[{ host, origin: undefined, site: undefined }, false],
		[{ host, origin: "http://127.0.0.1:7878", site: "same-origin" }, false],
		[{ host, origin: undefined, site: "none" }, false],
		[{ host, origin: "http://127.0.0.1:7879", site: undefined }, true],
		[{ host, origin: "https://127.0.0.1:7878", site: undefined }, true],
		[{ host, origin: "http://localhost:7878", site: undefined }, true],
		[{ host, origin: "null", site: undefined }, true],
		[{ host, origin: undefined, site: "cross-site" }, true],
	])("%j: %s", (from, foreign) => {
		expect(isForeign(from)).toBe(foreign);
	});
});

test.each([
	["127.0.0.1", true],
	["127.9.9.9", true],
	["::1", true],
	["::ffff:127.0.0.1", true],
	["192.168.1.7", false],
	["::ffff:192.168.1.7", false],
	["1127.0.0.1", false],
	[undefined, false],
])("%s is this machine: %s", (address, local) => {
	expect(isLoopback(address)).toBe(local);
});

test("a token gives what it allows, and without tokens nothing is allowed", () => {
	const tokens = { act: "a".repeat(43), read: "r".repeat(43) };
	expect([accessOf(tokens.act, tokens), accessOf(tokens.read, tokens)]).toEqual(["act", "read"]);
	for (const wrong of ["", tokens.act.slice(1), `${tokens.act}a`])
		expect(accessOf(wrong, tokens)).toBeUndefined();
	expect(accessOf(tokens.act, undefined)).toBeUndefined();
});
