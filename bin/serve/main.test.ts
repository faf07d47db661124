import { existsSync, lstatSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { put, useTemporaryFolder } from "../../session-core/log/session.test-support.ts";
import { until } from "../../test/host/until.ts";
import { worldFor } from "../shell/world.ts";
import { Shell } from "../shell.test-support.ts";
import type { Tokens } from "./guard.ts";
import { bannerLines, serveUntil, tokenFileOf } from "./main.ts";

const folder = useTemporaryFolder();
const shell = new Shell(folder);
const facts = {
	port: 7878,
	addresses: [],
	tokens: { act: "ACT", read: "READ" },
	tokenFile: "/agent/session-suite/serve-tokens.json",
	isTerminal: true,
};

function started(port = 0) {
	const { agentDir, cwd } = shell;
	let text = "";
	const sink = { write: (part: string) => (text += part), isTTY: false };
	const place = { agentDir, cwd, env: {}, sessionDir: undefined };
	const world = worldFor("serve", { ...place, now: Date.now, out: sink, err: sink });
	const ending = new AbortController();
	const code = serveUntil(ending.signal, { port }, world);
	onTestFinished(async () => {
		ending.abort();
		await code;
	});
	const ready = () => until(() => Number(/127\.0\.0\.1:(\d+)/.exec(text)?.[1]) || undefined, "the address");
	return { code, text: () => text, ready };
}

test("if the token file cannot be opened, serve names it and ends", async () => {
	put(join(shell.agentDir, "session-suite"), "");
	const { code, text } = started();
	expect(await code).toBe(1);
	expect(text()).toMatch(/serve-tokens\.json could not be written \(EEXIST/);
});

function tokens(): Tokens {
	return JSON.parse(readFileSync(tokenFileOf(shell.agentDir), "utf8"));
}

async function statusOf(port: number, token: string, path = "/health"): Promise<number> {
	const headers = { authorization: `Bearer ${token}` };
	return (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).status;
}

test("a server that cannot start does not change the tokens", async () => {
	const taken = createServer();
	onTestFinished(() => void taken.close());
	const port = await new Promise<number>((resolve) =>
		taken.listen(0, "127.0.0.1", () => resolve(Object(taken.address()).port)),
	);
	const first = started(port);
	expect([await first.code, first.text()]).toEqual([1, expect.stringContaining(`port ${port} is in use`)]);
	expect(existsSync(tokenFileOf(shell.agentDir))).toBe(false);
	await started().ready();
	const before = tokens();
	expect(await started(port).code).toBe(1);
	expect(tokens()).toEqual(before);
});

test("each start has new tokens, and those of another server remain valid for that server only", async () => {
	const port = await started().ready();
	const old = tokens();
	const other = await started().ready();
	expect([await statusOf(port, old.act), await statusOf(other, tokens().act)]).toEqual([200, 200]);
	for (const token of [old.act, old.read]) expect(await statusOf(other, token)).toBe(401);
	for (const token of [tokens().act, tokens().read]) expect(await statusOf(port, token)).toBe(401);
	expect(lstatSync(tokenFileOf(shell.agentDir)).mode & 0o777).toBe(0o600);
});

test("the banner names the addresses and what they expose; with --lan it warns, and shows the read-only token, also as a QR code", () => {
	const local = bannerLines(facts).join("\n");
	expect(local).toMatch(/http:\/\/127\.0\.0\.1:7878\/#token=ACT[\s\S]*can see and search all your sessions/);
	expect(local).not.toMatch(/WARNING|█/);
	const lan = { ...facts, addresses: ["192.168.1.7"] };
	const warned = bannerLines(lan).join("\n");
	expect(warned).toMatch(/WARNING: Anyone on this network[\s\S]*192\.168\.1\.7:7878\/#token=READ[\s\S]*█/);
	expect(warned).not.toContain("192.168.1.7:7878/#token=ACT");
	expect(bannerLines({ ...lan, isTerminal: false }).join("\n")).not.toContain("█");
});
