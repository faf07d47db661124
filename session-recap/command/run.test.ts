import type { ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import { Value } from "typebox/value";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { configuredKeys } from "../../session-core/command/key-bindings.ts";
import { SettingsSchema } from "../../session-core/settings/schema.ts";
import { timelineOf } from "../../session-core/timeline/log.test-support.ts";
import { resolveConfig } from "../config.ts";
import type { RecapSession } from "../session.ts";
import { type CommandDeps, runCommand } from "./run.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
	vi.useRealTimers();
	vi.unstubAllEnvs();
});

test("/recap doctor answers after a second if tmux does not respond", async () => {
	vi.stubEnv("TMUX", "/tmp/tmux-0/default,1,0");
	const said: string[] = [];
	const ground = { input: "", timeline: timelineOf([]) };
	const total = { calls: 0, cost: 0, inFlight: 0, reserved: 0, estimated: 0, unpriced: 0 };
	const deps: CommandDeps = {
		pi: {
			exec: (_command, _args, { timeout } = {}) =>
				new Promise((resolve) => {
					setTimeout(resolve, timeout, { stdout: "", stderr: "", code: 1, killed: true });
				}),
		},
		ctx: { ui: { notify: (text: string) => void said.push(text) } as ExtensionUIContext }, // only this is called
		// Of the session, only these are read.
		session: {
			isLive: () => true,
			question: async () => ({ ground, language: { language: undefined, hint: "" } }),
			terminal: { isTerminal: true, focusSeen: false },
		} as RecapSession,
		clearOthers: () => false,
		config: () => resolveConfig({ settings: Value.Create(SettingsSchema), origins: new Map() }, {}, {}),
		choose: () => ({ candidates: [], unusable: [] }),
		spending: () => ({ session: total, today: total, ledger: "/usage", problem: undefined }),
		agentDir: "/agent",
		cwd: "/project",
		others: async () => [{ title: "title", rows: [["name", "none yet"]] }],
		keys: configuredKeys(undefined).keys,
	};
	void runCommand("doctor", deps);
	await vi.advanceTimersByTimeAsync(1_000);
	await vi.waitFor(() => expect(said).toEqual([expect.stringContaining("tmux: unknown whether")]));
	expect(said[0]).toMatch(/^title\n {2}name +none yet$/m);
	expect(said[0]).toMatch(/^settings$/m);
});
