import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LANGUAGES } from "../../session-core/words/languages.ts";
import type { Sandbox } from "../host/sandbox.ts";
import { anyOf, type Random } from "./random.ts";

/** The initial settings, with a limit that is never reached. */
export const SETTINGS = '{\n\t// as the user wrote it\n\t"dailyCostLimit": 50\n}\n';

/** The settings file, which only its user may write. */
export class SettingsFile {
	readonly #path: string;
	#text = SETTINGS;
	#isTorn = false;

	constructor({ agentDir }: Pick<Sandbox, "agentDir">) {
		this.#path = join(agentDir, "session-suite.json");
	}

	/** Changes language, focus reports, notifications and the generator of records. */
	change(random: Random): void {
		const settings = {
			dailyCostLimit: 50,
			language: anyOf(random, LANGUAGES),
			recap: { focus: random() < 0.7 },
			resume: {
				notify: random() < 0.7,
				generator: anyOf(random, ["heuristic", "llm"]),
				idleMinutes: anyOf(random, [0, 0.02]),
			},
		};
		this.#text = `// as the user wrote it\n${JSON.stringify(settings, undefined, "\t")}\n`;
		if (!this.#isTorn) this.#write(this.#text);
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
		return now === this.#text ? [] : [`the settings were written by a process: ${now}`];
	}

	#write(text: string): void {
		writeFileSync(`${this.#path}.new`, text);
		renameSync(`${this.#path}.new`, this.#path);
	}
}
