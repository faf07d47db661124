import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Gate, held, say, session, testHost, until, yesterdaySession } from "../host/index.ts";
import { recapHost } from "./recap-host.ts";

const LATE = "LATE-ANSWER about the days in src/parse-date.js.";

/** Counts listeners, timers, file watchers and bytes of the heap inside the host. */
const COUNTER = `import { createHook } from "node:async_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
setFlagsFromString("--expose-gc");
// Unlike getActiveResourcesInfo, a hook also sees timers without a reference. The host loads this file
// anew for each session.
const open = (globalThis.open ??= new Set());
if (!globalThis.hook)
	globalThis.hook = createHook({
		// pi 1.x sets a timeout of its own for each new session.
		init: (id, type) =>
			/Timeout|FSEVENT/.test(type) && /session-(?:core|recap|title|resume|recall).[a-z]/.test(new Error().stack) && open.add(id),
		destroy: (id) => void open.delete(id),
	}).enable();
export default (pi) => pi.registerCommand("count", {
	handler: async (args, ctx) => {
		runInNewContext("gc")();
		const emitters = { process, stdin: process.stdin, stdout: process.stdout };
		const listeners = Object.entries(emitters).flatMap(([name, it]) =>
			it.eventNames().map((event) => name + "." + String(event) + "=" + it.listenerCount(event)));
		const heap = process.memoryUsage().heapUsed;
		const { writeFileSync } = await import("node:fs");
		writeFileSync(args, JSON.stringify({ open: open.size, heap, listeners: listeners.sort() }));
		ctx.ui.notify("counted into " + args);
	},
});`;

/**
 * Replaces the session repeatedly, each time after the extension has attached itself to the new one.
 */
const REPLACE = `export default (pi) => pi.registerCommand("replace", {
	handler: async (args, ctx) => {
		const { writeFileSync } = await import("node:fs");
		const [file, count] = args.split(" ");
		const attached = process.listenerCount("SIGTERM");
		const again = async (left, it) => {
			while (process.listenerCount("SIGTERM") < attached) await new Promise(setImmediate);
			writeFileSync(file, String(left));
			if (left > 0) await it.newSession({ withSession: (next) => again(left - 1, next) });
		};
		await again(Number(count), ctx);
	},
});`;

/** The host's message when a command is done. During a reload, keys are lost. */
const DONE = { "/reload": /Reloaded keybindings/, "/resume": /Resumed session/ };

test.each(Object.entries(DONE))(
	"%s: the answer of a draft in flight is never shown",
	async (command, done) => {
		const old = { id: "0195a1b2-c3d4-7000-8000-00000000000b", startedAt: new Date("2026-01-02T10:00:00Z") };
		const other = session(old).user("hello").assistant("Hi.").build();
		const gate = new Gate();
		const host = await recapHost({
			args: ["-c"],
			sessions: [yesterdaySession, other],
			rows: 50,
			script: (model) => model.queue("recap", held(gate, say(`<recap>${LATE}</recap>`))),
		});
		await until(() => host.model.calls("recap").length === 1, "the draft");
		host.model.always("recap", say("<recap>Another one about src/parse-date.js is due.</recap>"));
		host.submit(command);
		if (command === "/resume") {
			await host.screen.waitFor(/hello/);
			host.key("down");
			host.key("enter");
		}
		await host.model.waitForAbort("recap");
		gate.open();
		await host.screen.waitFor(done);
		await host.type("still-here", /still-here/);
		expect(host.screen.scrollback()).not.toMatch(/LATE-ANSWER|stale|Error:/);
		expect(host.entries().some((entry) => JSON.stringify(entry).includes("LATE-ANSWER"))).toBe(false);
	},
);

test("1,000 focus changes and 8 session replacements leave no listener, timer, watcher or session data behind", async () => {
	const host = await testHost({
		files: { ".pi/extensions/counter.ts": COUNTER, ".pi/extensions/replace.ts": REPLACE },
		rows: 50,
		cols: 200,
	});
	const count = async (name: string) => {
		const file = join(host.sandbox.root, name);
		await host.submit(`/count ${file}`, new RegExp(`counted into \\S*${name}`));
		return JSON.parse(readFileSync(file, "utf8")) as { open: number; heap: number; listeners: string[] };
	};
	await host.attached();
	await count("warm");
	const before = await count("before");
	for (let wave = 0; wave < 2; wave++) {
		host.type(`${"\x1b[O\x1b[I".repeat(500)}w${wave}`);
		await host.screen.waitFor((text) => text.includes(`w${wave}`), "the focus changes to be processed");
		host.key("ctrl+u");
	}
	const left = join(host.sandbox.root, "left");
	host.submit(`/replace ${left} 8`);
	await until(() => existsSync(left) && readFileSync(left, "utf8") === "0", "the replacements", {
		detail: () => `${readFileSync(left, "utf8")} left\n${host.screen.picture()}`,
	});
	let after = before;
	let counts = 0;
	// While the last session starts, its board is drawn once unseen, with watchers that are closed
	// afterwards.
	await until(
		async () => {
			after = await count(`after${counts++}`);
			return after.open <= before.open + 1;
		},
		"the watchers to be closed",
		{ detail: () => `${after.open} open, ${before.open} before` },
	);
	expect(after.listeners).toEqual(before.listeners);
	expect((after.heap - before.heap) / 8).toBeLessThan(1_000_000);
	await host.type("calm", /calm/);
	expect(host.screen.text()).not.toMatch(/\[[IO]/);
});
