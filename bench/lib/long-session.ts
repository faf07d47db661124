import { SessionManager } from "@mariozechner/pi-coding-agent";

/** A branch of that many entries in memory: prompts, replies, edits and commands in turn. */
export function longSession(entries: number): SessionManager {
	const manager = SessionManager.inMemory("/code/project");
	const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 };
	const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
	const from = { api: "anthropic-messages" as const, provider: "bench", model: "bench", timestamp: 0 };
	for (let index = 0; index < entries; index += 4) {
		const id = `call-${index}`;
		manager.appendMessage({
			role: "user",
			content: `Make parser number ${index} accept trailing commas`,
			timestamp: 0,
		});
		manager.appendMessage({
			role: "assistant",
			content: [
				{
					type: "toolCall",
					id,
					name: "bash",
					arguments: { command: `cd app && npm test -- parser-${index} 2>&1 | tail -5` },
				},
			],
			...from,
			usage: { ...usage, cost },
			stopReason: "toolUse",
		});
		manager.appendMessage({
			role: "toolResult",
			toolCallId: id,
			toolName: "bash",
			content: [{ type: "text", text: `ran ${index}\n12 passed\n` }],
			isError: false,
			timestamp: 0,
		});
		manager.appendMessage({
			role: "assistant",
			content: [
				{
					type: "text",
					text: `Parser ${index} accepts trailing commas now.\n\n- \`src/parser-${index}.ts\` skips them`,
				},
			],
			...from,
			usage: { ...usage, cost },
			stopReason: "stop",
		});
	}
	return manager;
}
