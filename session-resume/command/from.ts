import { helpText, unknownText } from "../../session-core/command/options.ts";
import { entriesLike, promptOf } from "../../session-core/find/entries.ts";
import type { Entry, SessionSource } from "../../session-core/session/entry.ts";
import { readWholeSession } from "../../session-core/store/session-file.ts";
import { clipColumns } from "../../session-core/text/clip.ts";
import { cleanLine } from "../../session-core/text/sanitize.ts";
import { pickWanted } from "../board/pick-row.ts";
import type { Row } from "../board/types.ts";
import type { CommandContext } from "../context.ts";
import type { Continuation } from "../instances.ts";
import { openSession } from "../resume-from/open-session.ts";
import { fork } from "../resume-here/fork.ts";
import { dailyAnswers } from "./answers.ts";
import { FROM_OPTIONS, parseFrom } from "./from-parse.ts";
import { resumeHere } from "./here.ts";

const INCOMPLETE =
	"resume-from: which session? /resume-from <title or id>, or --at <entry> for an earlier point of this one.";

/** Go on with the session's own first next step. */
const FIRST_STEP: Continuation = { prompt: undefined, send: false };

/** `/resume-from …` */
export async function runFrom(args: string, context: CommandContext): Promise<void> {
	const { screen } = context;
	const action = parseFrom(args);
	switch (action.type) {
		case "help":
			screen.say(helpText("resume-from", FROM_OPTIONS));
			return;
		case "unknown":
			screen.say(unknownText("resume-from", action.word), "warning");
			return;
		case "incomplete":
			screen.say(INCOMPLETE, "warning");
			return;
		case "go": {
			if (action.session === "") return fromHere(context, action);
			const { agentDir, ctx, host, session } = context;
			const row = await pickWanted(action.session, {
				agentDir,
				folder: host.folder,
				ui: ctx.ui,
				refuse: (why) => screen.say(`resume-from: ${why}`, "warning"),
				isLive: session.isLive,
			});
			if (!row || !session.isLive()) return;
			const isOpen = row.id === host.id;
			return isOpen ? fromHere(context, action) : fromOther(context, row, action);
		}
	}
}

interface Wish {
	at: string | undefined;
	branch: boolean;
}

/** The session that is open: its end, or an earlier point of it. */
async function fromHere(context: CommandContext, { at, branch }: Wish): Promise<void> {
	if (at === undefined)
		return resumeHere(context, {
			step: undefined,
			send: false,
			branch: branch || undefined,
			always: false,
			fresh: false,
		});
	if (!context.ctx.isIdle()) {
		context.screen.say(dailyAnswers(context.session.words()).working, "warning");
		return;
	}
	const entry = pick(context, context.host.source, at);
	if (!entry) return;
	const prompt = promptOf(entry);
	await fork(
		context,
		entry.id,
		FIRST_STEP,
		prompt === undefined ? undefined : { position: "before", prompt },
	);
}

async function fromOther(context: CommandContext, row: Row, { at, branch }: Wish): Promise<void> {
	if (at === undefined) {
		await openSession(context, {
			row,
			branch: branch || row.branches,
			entryId: undefined,
			continuation: FIRST_STEP,
		});
		return;
	}
	const source = await readWholeSession(row.path);
	if (!source.ok) {
		context.screen.say(`resume-from: that session cannot be read (${cleanLine(source.detail)}).`, "warning");
		return;
	}
	const entry = pick(context, source.session, at);
	if (!entry) return;
	const prompt = promptOf(entry);
	// One goes back to a prompt in order to put it differently: the fork ends before it.
	const entryId = prompt === undefined ? entry.id : entry.parentId;
	if (typeof entryId !== "string") {
		context.screen.say("resume-from: that is the session's first prompt; /new begins anew.", "warning");
		return;
	}
	const continuation = prompt === undefined ? FIRST_STEP : { prompt, send: false };
	await openSession(context, { row, branch: true, entryId, continuation });
}

function pick({ screen }: CommandContext, source: SessionSource, prefix: string): Entry | undefined {
	const found = entriesLike(source, prefix);
	const [only] = found;
	if (only && found.length === 1) return only;
	const shown = clipColumns(cleanLine(prefix), 40);
	const why = found.length === 0 ? "no entry" : `${found.length} entries`;
	screen.say(
		`resume-from: ${why} with an id that begins with "${shown}". Tab behind --at lists prompts.`,
		"warning",
	);
	return undefined;
}
