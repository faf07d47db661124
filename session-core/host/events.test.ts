import { expect, test } from "vitest";
import { endedInError, stopReasonOf } from "./events.ts";

test.each([
	["aborted", { stopReason: "error", errorMessage: "This operation was aborted" }],
	["aborted", { stopReason: "aborted", errorMessage: "Request was aborted" }],
	["error", { stopReason: "error", errorMessage: "The upstream said: This operation was aborted" }],
	["error", { stopReason: "error" }],
	["stop", { stopReason: "stop" }],
	["", { stopReason: 3 }],
])("%s is how it ended: %o", (end, message) => {
	expect(stopReasonOf(message)).toBe(end);
	expect(endedInError([{ role: "user" }, { role: "assistant", ...message }])).toBe(end === "error");
});

test("a run without an answer did not fail", () => {
	expect(endedInError([{ role: "user" }])).toBe(false);
});
