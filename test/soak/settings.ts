import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "../../session-core/session-file/fuzz.test-support.ts";
import { LANGUAGES } from "../../session-core/words/languages.ts";
import type { Sandbox } from "../host/sandbox.ts";
import { anyOf } from "./choose.ts";

/** The settings at first; the limit is not what is tried here. */
export const SETTINGS = '{\n\t// as the user wrote it\n\t"dailyCostLimit": 50\n}\n';

/** The file of settings, as its user writes it; whatever else happens, nobody else does. */
export class SettingsFile {
	readonly #path: string;
	#text = SETTINGS;
	#isTorn = false;

	constructor({ agentDir }: Pick<Sandbox, "agentDir">) {
		this.#path = join(agentDir, "session-suite.json");
	}

	/** Another language, notifications on or off, records by a model or offline. */
	change(random: Random): void {
		const settings = {
			dailyCostLimit: 50,
			language: anyOf(random, LANGUAGES),
			resume: {
				notify: random() < 0.7,
				generator: anyOf(random, ["heuristic", "llm"]),
				idleMinutes: anyOf(random, [0, 0.02]),
			},
		};
		this.#text = `// as the user wrote it\n${JSON.stringify(settings, undefined, "\t")}\n`;
		if (!this.#isTorn) this.#write(this.#text);
	}

	/** No focus reports from the next session on. Gives whether the file still says so. */
	withoutFocus(): () => boolean {
		const settings = { dailyCostLimit: 50, recap: { focus: false } };
		const text = `// as the user wrote it\n${JSON.stringify(settings, undefined, "\t")}\n`;
		this.#text = text;
		if (!this.#isTorn) this.#write(text);
		const wasTorn = this.#isTorn;
		return () => !wasTorn && !this.#isTorn && this.#text === text;
	}

	tear(): void {
		this.#isTorn = true;
		writeFileSync(this.#path, '{ "recap": { "ena');
	}

	repair(): void {
		this.#isTorn = false;
		this.#write(this.#text);
	}

	faults(): string[] {
		const now = readFileSync(this.#path, "utf8");
		return now === this.#text ? [] : [`somebody else wrote the settings: ${now}`];
	}

	#write(text: string): void {
		writeFileSync(`${this.#path}.new`, text);
		renameSync(`${this.#path}.new`, this.#path);
	}
}
