import { expect, test } from "vitest";
import { isKnownHost, isLoopback } from "./access.ts";

test.each([
	["127.0.0.1:7878", true],
	["LOCALHOST:9000", true],
	["[::1]:7878", true],
	["192.168.1.7:7878", true],
	["192.168.1.8:7878", false],
	["127.0.0.1.nip.io", false],
	["localhost.evil.example", false],
	["127.0.0.1:7878:80", false],
	["127.0.0.1/evil", false],
	["", false],
	[undefined, false],
])("the host %s is known: %s", (host, isKnown) => {
	expect(isKnownHost(host, new Set(["192.168.1.7"]))).toBe(isKnown);
});

test.each([
	["127.9.9.9", true],
	["::1", true],
	["::ffff:127.0.0.1", true],
	["::ffff:192.168.1.7", false],
	["1127.0.0.1", false],
	[undefined, false],
])("the address %s is this machine: %s", (address, isLocal) => {
	expect(isLoopback(address)).toBe(isLocal);
});
