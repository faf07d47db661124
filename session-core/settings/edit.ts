import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { isObject, type JsonObject } from "../json.ts";
import { replaceFile, sweepTemporaries, type WriteOutcome } from "../store/atomic-file.ts";
import { inTurn } from "../store/turn.ts";
import { readSettingsFile, shownPath } from "./file.ts";
import { withValueAt } from "./jsonc-edit.ts";
import { readLastGood } from "./last-good.ts";
import { valueAt } from "./object.ts";
import { settingsTurns, writeLastGood } from "./remember.ts";
import { SETTINGS_FILE } from "./schema.ts";
import { usableValues } from "./values.ts";

/** `reason` is one sentence, safe to show. */
export type EditOutcome = { ok: true } | { ok: false; reason: string };

export interface SettingEdit {
	agentDir: string;
	path: readonly string[];
	value: boolean | number | string;
}

/**
 * Change one setting in the user's file: comments, layout and unknown keys stay. A file that cannot be read is left
 * as it is. The new file replaces the old one in one step, so no reader ever sees half of it, and in turn with other
 * processes, so that none undoes another's change.
 */
export async function setSetting(edit: SettingEdit): Promise<EditOutcome> {
	const file = join(edit.agentDir, SETTINGS_FILE);
	const turn = await inTurn(settingsTurns(edit.agentDir), () => change(file, edit));
	if (turn.ok) return turn.value;
	return turn.reason === "busy"
		? { ok: false, reason: `${shownPath(file)}: another pi is changing it; try again` }
		: notWritten(file, turn.detail);
}

/** Reads, changes and writes in one go. */
function change(file: string, { agentDir, path, value }: SettingEdit): EditOutcome {
	const found = readSettingsFile(file);
	if (found.status === "broken") return { ok: false, reason: found.problem };
	const root = found.status === "read" ? found.root : {};
	const obstacle = groupThatIsNone(root, path);
	if (obstacle) return { ok: false, reason: `${shownPath(file)}: ${obstacle} is not an object in braces` };
	const before = readLastGood(agentDir, file);
	const said = found.status === "read" ? found.text : "";
	// A file that lost its content says again what it said.
	const base = said.trim() === "" ? `${JSON.stringify(before ?? {}, null, 2)}\n` : said;
	const text = withValueAt(base, path, value);
	const outcome = write(file, text);
	if (!outcome.ok) return notWritten(file, outcome.detail);
	const written = readSettingsFile(file);
	if (written.status === "read") writeLastGood(agentDir, file, usableValues(written.root, before).values);
	return { ok: true };
}

/** The first group on the way that holds something else than settings. */
function groupThatIsNone(root: JsonObject, path: readonly string[]): string | undefined {
	const groups = path.slice(0, -1).map((_, depth) => path.slice(0, depth + 1));
	return groups
		.find((group) => {
			const value = valueAt(root, group);
			return value !== undefined && !isObject(value);
		})
		?.join(".");
}

function write(file: string, text: string): WriteOutcome {
	try {
		const old = statSync(file, { throwIfNoEntry: false });
		// Dotfile managers link this file from elsewhere: the link stays, its target is replaced.
		const target = old ? realpathSync(file) : file;
		sweepTemporaries(target);
		return replaceFile(target, text, { mode: old ? old.mode & 0o777 : 0o600, until: "disk" });
	} catch (error) {
		return { ok: false, detail: String(error) };
	}
}

/** `detail` is what the file system said; its code is enough. */
function notWritten(file: string, detail: string): EditOutcome {
	const code = /\bE[A-Z]{3,}\b/.exec(detail)?.[0] ?? "unknown error";
	return { ok: false, reason: `${shownPath(file)}: cannot be written (${code})` };
}
