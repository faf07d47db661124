import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readSettingsFile, shownPath } from "./file.ts";
import { isObject, type JsonObject, valueAt } from "./object.ts";
import { SETTINGS_FILE } from "./open.ts";

/** `reason` is one sentence, safe to show. */
export type EditOutcome = { ok: true } | { ok: false; reason: string };

export interface SettingEdit {
	agentDir: string;
	path: readonly string[];
	value: boolean | number | string;
}

/**
 * Change one setting in the user's file: comments, layout and unknown keys stay. A file that cannot be read is left
 * as it is. The new file replaces the old one in one step, so no reader ever sees half of it.
 */
export async function setSetting({ agentDir, path, value }: SettingEdit): Promise<EditOutcome> {
	const file = join(agentDir, SETTINGS_FILE);
	const found = await readSettingsFile(file);
	if (found.status === "broken") return { ok: false, reason: found.problem };
	const root = found.status === "read" ? found.root : {};
	const obstacle = groupThatIsNone(root, path);
	if (obstacle) return { ok: false, reason: `${shownPath(file)}: ${obstacle} is not an object in braces` };
	try {
		const text = found.status === "read" ? found.text : "";
		replaceFile(file, await edited(text, path, value));
		return { ok: true };
	} catch (error) {
		const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
		return { ok: false, reason: `${shownPath(file)}: cannot be written (${code})` };
	}
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

async function edited(text: string, path: readonly string[], value: SettingEdit["value"]): Promise<string> {
	const { applyEdits, modify } = await import("jsonc-parser");
	const base = text.trim() === "" ? "{}\n" : text;
	return applyEdits(base, modify(base, [...path], value, { formattingOptions: layoutOf(base) }));
}

/** New lines look like the ones that are there; a new file is indented by two blanks. */
function layoutOf(text: string) {
	const indent = /^([ \t]+)["}]/m.exec(text)?.[1] ?? "  ";
	return {
		insertSpaces: !indent.includes("\t"),
		tabSize: indent.length,
		eol: text.includes("\r\n") ? "\r\n" : "\n",
	};
}

function replaceFile(file: string, text: string): void {
	mkdirSync(dirname(file), { recursive: true });
	const old = statSync(file, { throwIfNoEntry: false });
	// Dotfile managers link this file from elsewhere: the link stays, its target is replaced.
	const target = old ? realpathSync(file) : file;
	const temporary = `${target}.${randomBytes(6).toString("hex")}.tmp`;
	try {
		writeFileSync(temporary, text, { mode: 0o600, flag: "wx" });
		if (old) chmodSync(temporary, old.mode & 0o777);
		renameSync(temporary, target);
	} finally {
		rmSync(temporary, { force: true });
	}
}
