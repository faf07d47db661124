import { EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createHub, registerExtensions, type SessionEnd, type Shared, sharedIn } from "./hub.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Listener = (event: object, ctx: object) => unknown;

/** A host that loads extensions separately, each with its own hub, and then opens one session. */
function host({ hasUI = true } = {}) {
	const listeners: [string, Listener][] = [];
	const said: string[] = [];
	let id = "s-1";
	const ctx = {
		hasUI,
		ui: { notify: (text: string) => void said.push(text) },
		sessionManager: { getEntries: () => [], getSessionId: () => id },
		isIdle: () => true,
		hasPendingMessages: () => false,
	};
	const pi = { on: (name: string, listener: Listener) => void listeners.push([name, listener]) };
	const emit = (name: string, event: object = {}) =>
		Promise.all(listeners.filter(([of]) => of === name).map(([, listener]) => listener(event, ctx)));
	const replace = () => {
		id = "s-2";
	};
	return { said, ctx, emit, replace, hub: () => createHub(pi as never), pi, listeners };
}

const quiet = { opened: () => undefined };

test("extensions that are loaded separately find the same session, until it ends", async () => {
	const { ctx, emit, hub } = host();
	const found: Shared[] = [];
	const opened = (_reason: unknown, _ctx: unknown, shared: Shared) => void found.push(shared);
	for (const one of [hub(), hub()]) one.follow("recap", { ...quiet, opened });
	await emit("session_start", { reason: "startup" });
	const [first, second] = found;
	expect(first).toBeDefined();
	expect(second).toBe(first);
	expect(sharedIn(ctx.sessionManager)).toBe(first);
	expect(first?.ports.recap.isNoting()).toBe(false);
	first?.offer({ recap: { isNoting: () => true, hideRecap: () => undefined, looksForMs: () => 0 } });
	expect(second?.ports.recap.isNoting()).toBe(true);
	expect(() => second?.offer({ recap: second.ports.recap })).toThrow("recap");
	await emit("session_shutdown", { reason: "reload" });
	expect(sharedIn(ctx.sessionManager)).toBeUndefined();
	await emit("session_start", { reason: "reload" });
	expect(found[2]).not.toBe(first);
	expect(found[3]).toBe(found[2]);
});

describe("the end of a session", () => {
	async function opened() {
		const it = host();
		const hub = it.hub();
		const closed = vi.fn((_how: SessionEnd) => hub.over.aborted);
		hub.follow("recap", { ...quiet, closed });
		const before = process.listeners("exit");
		await it.emit("session_start", { reason: "startup" });
		const [exit] = process.listeners("exit").filter((listener) => !before.includes(listener));
		return { ...it, hub, closed, exit: () => exit?.(0), over: hub.over };
	}

	test.each([
		["reload", "continued"],
		["quit", "closed"],
		["fork", "closed"],
	])("with the reason %s is reported once as %s, after its signal was aborted", async (reason, how) => {
		const { emit, closed, exit, over } = await opened();
		expect(over.aborted).toBe(false);
		await emit("session_shutdown", { reason });
		exit();
		expect(closed.mock.calls).toEqual([[how]]);
		expect([closed.mock.results[0]?.value, over.aborted]).toEqual([true, true]);
	});

	test("is reported as continued if the host's session is already another one", async () => {
		const { emit, closed, replace } = await opened();
		replace();
		await emit("session_shutdown", { reason: "fork" });
		expect(closed.mock.calls).toEqual([["continued"]]);
	});

	test("is reported when the process exits without closing the session", async () => {
		const { emit, closed, exit } = await opened();
		exit();
		await emit("session_shutdown", { reason: "quit" });
		expect(closed.mock.calls).toEqual([["exit"]]);
	});
});

describe("copies of the package", () => {
	/**
	 * Loads several copies of the package one after another, as the host does. Returns what each copy
	 * registered.
	 */
	const load = (
		it: ReturnType<typeof host>,
		bus: EventEmitter,
		copies: Readonly<Record<string, string[]>>,
	) => {
		const events = {
			emit: (channel: string, data: unknown) => bus.emit(channel, data),
			on: (channel: string, listener: (data: unknown) => void) => {
				bus.on(channel, listener);
				return () => void bus.off(channel, listener);
			},
		};
		return Object.entries(copies).map(([path, names]) => {
			const registered: string[] = [];
			const table = Object.fromEntries(names.map((name) => [name, () => void registered.push(name)]));
			registerExtensions({ ...it.pi, events } as never, `file://${path}`, table);
			return registered;
		});
	};

	test("register each extension once, the later one says so once, and a reload makes room for others", async () => {
		const it = host();
		const bus = new EventEmitter();
		const copies = { "/one/index.js": ["recap"], "/suite/index.ts": ["recap", "title"] };
		expect(load(it, bus, copies)).toEqual([["recap"], ["title"]]);
		for (const reason of ["startup", "startup", "new"]) await it.emit("session_start", { reason });
		expect(it.said).toEqual([
			expect.stringMatching(/^recap: .*\/one\/index\.js.*\/suite\/index\.ts is off\./),
		]);
		// A copy without an extension does not follow the session.
		const before = it.listeners.length;
		load(it, bus, { "/two/index.js": ["recap"] });
		expect(it.listeners.slice(before).map(([name]) => name)).toEqual(["session_start"]);
		await it.emit("session_shutdown", { reason: "reload" });
		expect(load(it, bus, { "/two/index.js": ["recap"] })).toEqual([["recap"]]);
	});
});

describe("a fault in one extension", () => {
	const fault = () => {
		throw new Error("no\nat line 1");
	};

	test.each([
		["session_start", "opened"],
		["agent_start", "runStarted"],
		["input", "submitted"],
		["session_tree", "moved"],
	])("in %s is reported, and the others receive the event", async (event, handler) => {
		const it = host();
		const heard = vi.fn();
		const hub = it.hub();
		hub.follow("recap", { ...quiet, [handler]: fault });
		hub.follow("resume", { ...quiet, [handler]: async () => fault() });
		hub.follow("title", { ...quiet, [handler]: heard });
		await it.emit("session_start", { reason: "startup" });
		if (event !== "session_start") await it.emit(event);
		await vi.advanceTimersByTimeAsync(0);
		expect(it.said).toEqual([
			expect.stringMatching(
				/^recap: an unexpected error occurred \(Error in hub\.test\.ts:\d+\)\. If it occurs/,
			),
			expect.stringMatching(
				/^resume: an unexpected error occurred \(Error in hub\.test\.ts:\d+\)\. If it occurs/,
			),
		]);
		expect(heard).toHaveBeenCalledOnce();
	});

	test("is not shown once the session has ended", async () => {
		const it = host();
		const hub = it.hub();
		hub.follow("resume", { ...quiet, closed: fault });
		await it.emit("session_start", { reason: "startup" });
		await it.emit("session_shutdown", { reason: "new" });
		expect(it.said).toEqual([]);
	});
});
