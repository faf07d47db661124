import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { put, useTemporaryFolder } from "./store.test-support.ts";
import { inTurn } from "./turn.ts";
import { ownMark, realProcesses } from "./writer.ts";

const agentDir = useTemporaryFolder();
const folder = () => join(agentDir(), "turns");
const left = () => readdirSync(folder());

it("gives what was done, and leaves nothing behind", async () => {
	expect(await inTurn(folder(), () => 7)).toEqual({ ok: true, value: 7 });
	expect(left()).toEqual([]);
});

it("lets fifty at once add to one number, one after the other", async () => {
	const file = put(join(agentDir(), "count"), "0");
	const add = () => writeFileSync(file, String(Number(readFileSync(file, "utf8")) + 1));
	const order: number[] = [];
	await Promise.all(Array.from({ length: 50 }, (_, at) => inTurn(folder(), () => [add(), order.push(at)])));
	expect(readFileSync(file, "utf8")).toBe("50");
	expect(order).toEqual(order.toSorted((a, b) => a - b));
	expect(left()).toEqual([]);
});

it("is over when the work fails, too", async () => {
	const broken = () => {
		throw new Error("bug");
	};
	await expect(inTurn(folder(), broken)).rejects.toThrow("bug");
	expect(await inTurn(folder(), () => 1)).toMatchObject({ ok: true });
});

it.each(["000000000001", "choosing"])("does not wait for one that died (%s)", async (kind) => {
	const child = spawn(process.execPath, ["-e", ""]);
	await once(child, "exit");
	put(join(folder(), `${kind}.${realProcesses().space}-${child.pid}-5.ab1`), "");
	put(join(folder(), `${kind}.00000000-${child.pid}-5.ab2`), "");
	utimesSync(join(folder(), `${kind}.00000000-${child.pid}-5.ab2`), 0, 0);
	expect(await inTurn(folder(), () => 1, { patienceMs: 0 })).toMatchObject({ ok: true });
	expect(left()).toEqual([]);
});

it.each([
	["000000000001", "that lives", () => ownMark()],
	["choosing", "that lives", () => ownMark()],
	["000000000001", "in another container", () => "00000000-1-5"],
])("waits for another (%s, %s), but not for ever", async (kind, _, mark) => {
	const theirs = `${kind}.${mark()}.ab1`;
	put(join(folder(), theirs), "");
	expect(await inTurn(folder(), () => 1, { patienceMs: 20 })).toMatchObject({ ok: false, reason: "busy" });
	expect(left()).toEqual([theirs]);
});

it("says so where no ticket can be drawn", async () => {
	put(folder(), "a file in its place");
	expect(await inTurn(folder(), () => 1)).toMatchObject({ ok: false, reason: "unwritable" });
});

it("says so where the folder goes while it waits", async () => {
	put(join(folder(), `000000000001.${ownMark()}.ab1`), "");
	const waiting = inTurn(folder(), () => 1);
	rmSync(folder(), { recursive: true });
	expect(await waiting).toMatchObject({ ok: false, reason: "unwritable" });
});

it("takes no turn after its ticket was put away: another may be at it", async () => {
	const before = join(folder(), `000000000001.${ownMark()}.ab1`);
	put(before, "");
	const waiting = inTurn(folder(), () => 1, { patienceMs: 50 });
	for (const name of left()) unlinkSync(join(folder(), name));
	expect(await waiting).toMatchObject({ ok: false, reason: "busy" });
});
