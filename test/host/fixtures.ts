import { SessionText } from "../../session-core/log/session-text.test-support.ts";
import { MODELS, PROVIDER } from "./models.ts";

const USAGE = {
	input: 1200,
	output: 90,
	cacheRead: 0,
	cacheWrite: 0,
	totalTokens: 1290,
	cost: { input: 0.0036, output: 0.00135, cacheRead: 0, cacheWrite: 0, total: 0.00495 },
};

/** Begins a session with a scripted model. A sandbox replaces `cwd` with the project's folder. */
export function session({
	cwd = "/project",
	id = "0195a1b2-c3d4-7000-8000-000000000001",
	startedAt = new Date("2026-03-12T14:00:00Z"),
	model = MODELS.large as string,
} = {}): SessionText {
	const reply = { api: "openai-completions", provider: PROVIDER, model, usage: USAGE };
	return new SessionText({ id, cwd }, { startedAt: startedAt.getTime(), seconds: 4, reply, stamped: true })
		.entry("model_change", { provider: PROVIDER, modelId: model })
		.entry("thinking_level_change", { thinkingLevel: "off" });
}
