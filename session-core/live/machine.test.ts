import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { put, useTemporaryFolder } from "../session-file/session.test-support.ts";
import { type MachineFacts, placeOf } from "./lease-files.ts";
import { isSameBoot } from "./liveness.mjs";

const agentDir = useTemporaryFolder();
const MACHINE_ID = "5b0e4c1f9d9a4b7c8e1f2a3b4c5d6e7f";
const facts = (fields: Partial<MachineFacts> = {}): MachineFacts => ({
	machineId: MACHINE_ID,
	bootId: "b-1",
	pidSpace: "pid:[1]",
	bootedAt: 1_000,
	...fields,
});

it("a machine is known by the system's id of it, which is not given away", () => {
	const { machine } = placeOf(agentDir(), facts());
	expect(machine).toMatch(/^[0-9a-f]{16}$/);
	expect(MACHINE_ID).not.toContain(machine);
	expect(placeOf(agentDir(), facts({ bootId: "b-2" })).machine).toBe(machine);
	expect(placeOf(agentDir(), facts({ machineId: "f".repeat(32) })).machine).not.toBe(machine);
});

it("without one it is given an id that stays", () => {
	const one = placeOf(agentDir(), facts({ machineId: "" })).machine;
	expect(placeOf(agentDir(), facts({ machineId: "" })).machine).toBe(one);
	const kept = join(agentDir(), "session-suite", "machine");
	expect(readFileSync(kept, "utf8")).toBe(`${one}\n`);
	expect(statSync(kept).mode & 0o777).toBe(0o600);
	put(kept, "damaged");
	expect(placeOf(agentDir(), facts({ machineId: "" })).machine).toMatch(/^[0-9a-f]{16}$/);
});

it("if it cannot be stored, it is unique to this process", () => {
	put(join(agentDir(), "session-suite"), "a file where the folder should be");
	const [one, other] = [1, 2].map(() => placeOf(agentDir(), facts({ machineId: "" })).machine);
	expect(one).not.toBe(other);
});

it("a boot is known by the kernel's id of it, else by its time", () => {
	expect(placeOf(agentDir(), facts()).boot).toBe("b-1");
	const { boot, pidSpace } = placeOf(agentDir(), facts({ bootId: "", pidSpace: undefined }));
	expect([boot, pidSpace]).toEqual(["1000", undefined]);
	expect(isSameBoot(boot, "1030")).toBe(true);
	expect(isSameBoot(boot, "1100")).toBe(false);
	expect(isSameBoot("b-1", "b-2")).toBe(false);
});
