import { expect, it } from "vitest";
import { secretsIn } from "../text/known-secrets.ts";
import type { Entry } from "./entry.ts";
import { textsIn } from "./texts.ts";

const message = (content: Record<string, unknown>): Entry => ({
	type: "message",
	id: "a",
	parentId: null,
	timestamp: "2026-01-01T00:00:00.000Z",
	message: content,
});

it("all that messages say is looked at for secrets: prompts, replies, arguments and results of calls, commands", () => {
	const secrets = [1, 2, 3, 4, 5, 6].map((number) => ["k3J9x", "Q2mZ7pL5w", number].join(""));
	const [asked, said, typed, named, got, ran] = secrets;
	const entries = [
		message({ role: "user", content: `password: ${asked}` }),
		message({
			role: "assistant",
			content: [
				{ type: "text", text: `The password is ${said}.` },
				{ type: "toolCall", id: "1", name: "bash", arguments: { command: `DB_PASSWORD=${typed} npm start` } },
				{ type: "toolCall", id: "2", name: "login", arguments: { with: [{ password: named }] } },
			],
		}),
		message({
			role: "toolResult",
			toolCallId: "1",
			toolName: "bash",
			content: [{ type: "text", text: `SECRET=${got}` }],
		}),
		message({ role: "bashExecution", command: "env", output: `DB_PASS=${ran}`, exitCode: 0 }),
	];
	expect([...secretsIn(textsIn(entries))].sort()).toEqual(secrets);
});
