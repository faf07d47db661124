import { createInterface } from "node:readline";
import {
	agentAbove,
	explainAnswer,
	liveLeases,
	MAX_ANSWER,
	sendAnswer,
	whyNotAnswered,
} from "../../session-core/sessions/live/index.ts";
import type { SessionView } from "../../session-core/sessions/view.ts";
import { clipColumns } from "../../session-core/text/index.ts";
import { findSession } from "../sessions/find.ts";
import { DONE, NOT_FOUND, type World } from "../shell/world.ts";

export async function answer(
	{ seen }: { seen?: string },
	world: World,
	_words: string,
	[wanted = "", ...rest]: readonly string[],
): Promise<number> {
	const { agentDir, env, fail, now, out, keyboard } = world;
	const typed = rest.join(" ").trim();
	const agent = agentAbove(liveLeases(agentDir, now()), env);
	if (agent !== undefined) return fail(agent);
	if (typed === "" && (rest.length > 0 || !keyboard)) return fail("the answer is empty.", NOT_FOUND);
	const found = await findSession(wanted, world);
	if (!found.ok) return fail(found.problem, NOT_FOUND);
	const { row, lease, view } = found;
	const reason = whyNotAnswered(view);
	if (!view.format.canOpen) return fail("only pi sessions can be answered.");
	if (!lease || reason === "closed")
		return fail(
			`this session is not open. Run pi-sessions resume ${row.id} --message "…" to open it with your answer.`,
		);
	const remedy = `Run pi-sessions attach ${row.id} to go there.`;
	if (reason) return fail(`not answered: ${explainAnswer(reason)} ${remedy}`);
	const text = typed || (await askFor(view, world));
	if (text === "") return fail("the answer is empty.", NOT_FOUND);
	if (text.length > MAX_ANSWER) return fail(`the answer is longer than ${MAX_ANSWER} characters.`, NOT_FOUND);
	const stamp = seen ?? view.lastMessageId ?? "";
	const outcome = await sendAnswer(agentDir, lease, { stamp, text, from: "shell" });
	world.log("answer.sent", {
		session: row.id,
		ok: outcome.ok,
		...(!outcome.ok && { reason: outcome.reason }),
	});
	if (outcome.ok) {
		const title = clipColumns(view.title, 60);
		const question = typed !== "" && view.waits && view.next ? `answered “${view.next.text}”` : "answered";
		out.write(`${question}; "${title}" is working.\n`);
		return DONE;
	}
	const detail = outcome.detail === undefined ? "" : ` (${outcome.detail})`;
	return fail(`not answered: ${explainAnswer(outcome.reason)}${detail} ${remedy}`);
}

/** Shows the question, and returns the line that the user types; empty after Ctrl+D. */
function askFor({ title, next, record }: SessionView, { keyboard, out }: World): Promise<string> {
	if (!keyboard) return Promise.resolve("");
	out.write(`${title}\n${next?.text ?? record?.headline ?? ""}\n`);
	out.write("> ");
	const lines = createInterface({ input: keyboard, terminal: false });
	return new Promise((resolve) => {
		lines.once("line", (line) => {
			resolve(line.trim());
			lines.close();
		});
		lines.once("close", () => resolve(""));
	});
}
