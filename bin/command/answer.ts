import { agentAbove, explainAnswer, MAX_ANSWER, sendAnswer } from "../../session-core/live/answers.ts";
import { liveLeases } from "../../session-core/live/lease-files.ts";
import { openSession } from "../../session-core/session-view/describe.ts";
import { clipColumns } from "../../session-core/text/index.ts";
import { findSession } from "../sessions/find.ts";
import { DONE, NOT_FOUND, type World } from "../shell/world.ts";

/** `pi-sessions answer` */
export async function answer(
	_: object,
	world: World,
	_words: string,
	[wanted = "", ...rest]: readonly string[],
): Promise<number> {
	const { agentDir, env, fail, now, out } = world;
	const text = rest.join(" ").trim();
	const agent = agentAbove(liveLeases(agentDir, now()), env);
	if (agent !== undefined) return fail(agent);
	if (text === "") return fail("the answer is empty.", NOT_FOUND);
	if (text.length > MAX_ANSWER) return fail(`the answer is longer than ${MAX_ANSWER} characters.`, NOT_FOUND);
	const found = await findSession(wanted, world);
	if (!found.ok) return fail(found.problem, NOT_FOUND);
	const { row, lease, view } = found;
	if (!lease)
		return fail(
			`this session is not open. Run pi-sessions resume ${row.id} --message "…" to open it with your answer.`,
		);
	const opened = openSession(row);
	const stamp = opened.ok ? opened.reading.stamp : undefined;
	if (stamp === undefined) return fail("this session has no messages yet, so there is nothing to answer.");
	const outcome = await sendAnswer(agentDir, lease, { stamp, text, from: "shell" });
	world.log("answer.sent", {
		session: row.id,
		ok: outcome.ok,
		...(!outcome.ok && { reason: outcome.reason }),
	});
	if (outcome.ok) {
		out.write(`answered; "${clipColumns(view.title, 60)}" is working.\n`);
		return DONE;
	}
	const detail = outcome.detail === undefined ? "" : ` (${outcome.detail})`;
	const remedy = `Run pi-sessions attach ${row.id} to go there.`;
	return fail(`not answered: ${explainAnswer(outcome.reason)}${detail} ${remedy}`);
}
