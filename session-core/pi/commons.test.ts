import { SessionManager } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import { createStateReader } from "./commons.ts";

function open() {
	const manager = SessionManager.inMemory("/project");
	const say = (content: string) => manager.appendMessage({ role: "user", content, timestamp: 0 });
	const logged: string[] = [];
	const state = createStateReader(
		{ sessionManager: manager, cwd: "/project" },
		(event) => void logged.push(event),
	);
	return { manager, say, state, logged };
}

test("a state is read once, and again when the conversation or the session's name has changed", () => {
	const { manager, say, state } = open();
	say("Make the parser reject invalid days.");
	const first = state();
	expect(first).toMatchObject({ messages: 1, hasTask: true });
	expect(state()).toBe(first);
	say("And the time zone?");
	const second = state();
	expect(second).toMatchObject({ messages: 2 });
	manager.appendSessionInfo("Invalid days");
	expect(state()).not.toBe(second);
});

test("a session that cannot be read is only logged", () => {
	const { manager, say, state, logged } = open();
	say("Make the parser reject invalid days.");
	manager.getEntry = () => {
		throw new Error("broken");
	};
	manager.getLeafEntry = manager.getEntry as typeof manager.getLeafEntry;
	expect(state()).toBeUndefined();
	expect(logged).toEqual(["read.failed"]);
});
