import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { expect } from "vitest";
import { readSession, say, type TerminalHost, testOnce, testWorld, until } from "../host/index.ts";
import { shellRun } from "../shell/shell-host.ts";
import { resumeHost } from "./resume-host.ts";

const HOUR = 3_600_000;
const LONG = "The parser reads the text from left to right and keeps what it has seen. ".repeat(500);

async function billed(host: TerminalHost, replies: number): Promise<number> {
	const costs = () =>
		host.entries().flatMap(({ message }) => {
			const { role, usage } = (message ?? {}) as { role?: string; usage?: { cost: { total: number } } };
			return role === "assistant" && usage ? [usage.cost.total] : [];
		});
	await until(() => costs().length === replies, `reply ${replies} on disk`);
	return costs().at(-1) ?? 0;
}

async function toldBy(host: TerminalHost, price: RegExp): Promise<string | undefined> {
	return price.exec(await host.screen.waitFor(price))?.[1];
}

const near = (told: string | undefined, bill: number) =>
	expect(Math.abs(Number(told) / bill - 1)).toBeLessThan(0.1);

function age(path: string): void {
	const text = readFileSync(path, "utf8").replace(/"timestamp":"([^"]+)"/g, (_, time: string) =>
		JSON.stringify({ timestamp: new Date(Date.parse(time) - HOUR).toISOString() }).slice(1, -1),
	);
	writeFileSync(path, text);
	const then = (Date.now() - HOUR) / 1_000;
	utimesSync(path, then, then);
}

testOnce("resuming costs what was shown, with a warm cache, a cold one, and a new session", async () => {
	const { model, sandbox } = await testWorld();
	model.cache = { size: 0 };
	const first = await resumeHost({ model, sandbox });
	model.queue("agent", say(LONG));
	first.submit("How does the parser work?");
	await billed(first, 1);
	first.submit("And how does it end?");
	await billed(first, 2);
	await first.quit();
	const [file = ""] = [first.sessionFile()];

	const atBoard = async () => {
		const host = await resumeHost({ model, sandbox, rows: 30, cols: 110 });
		host.submit("/sessions");
		const told = await toldBy(host, /resume ≈ \$([\d.]+)/);
		return { host, told };
	};
	const warm = await atBoard();
	const shown = await shellRun({ sandbox }, ["show", readSession(file)[0]?.id ?? ""]);
	expect(shown.stdout.replace(/\s+/g, " ")).toContain(`resume ≈ $${warm.told}`);
	await warm.host.key("enter", /Resumed session/);
	warm.host.submit("go on");
	near(warm.told, await billed(warm.host, 3));
	await warm.host.quit();

	age(file);
	model.cache = { size: 0 };
	const cold = await atBoard();
	expect(Number(cold.told)).toBeGreaterThan(5 * Number(warm.told));
	const fresh = await toldBy(cold.host, /or --fresh ≈ \$([\d.]+)/);
	await cold.host.key("enter", /Resumed session/);
	cold.host.submit("go on");
	near(cold.told, await billed(cold.host, 4));
	model.cache = { size: 0 };
	cold.host.submit("/resume-here --fresh");
	// If a prompt is longer than the editor, the editor shows the prompt's end.
	await cold.host.screen.waitFor(/<\/context-/);
	cold.host.key("enter");
	await until(() => cold.host.sessionFile() !== file, "the new session");
	near(fresh, await billed(cold.host, 1));
});
