import {
	type CurrentName,
	knownNames,
	type NameOutcome,
	nameByPerson,
	nameSession,
	nameText,
	type TitleData,
} from "../session-core/log/index.ts";
import { answerText, formatSpec } from "../session-core/pi/index.ts";
import type { TitleStyle } from "./ask.ts";
import { asking, parseRename, RENAME, titleLines } from "./command.ts";
import type { MadeTitle, TitleRequests } from "./requests.ts";

/** Carries out `/rename`. */
export class Rename {
	readonly #requests: TitleRequests;
	readonly #whyNamed: () => string;

	constructor(requests: TitleRequests, whyNamed: () => string) {
		this.#requests = requests;
		this.#whyNamed = whyNamed;
	}

	/** Runs any form of the command. If the command calls a model, resolves when that call has ended. */
	async run(args: string): Promise<void> {
		const { screen } = this.#requests;
		const action = parseRename(args);
		switch (action.type) {
			case "name":
				return this.#name(action.text);
			case "kebab":
				return this.#suggest("kebab");
			case "auto":
				return this.#suggest("title");
			case "undo":
				return this.#undo();
			case "why":
				return screen.say(`rename: ${this.#whyNamed()}.`);
			case "help":
			case "refused":
				return screen.say(...answerText(RENAME, action));
		}
	}

	#saved(outcome: NameOutcome): boolean {
		if (!outcome.ok) this.#requests.fail(outcome.reason, "", outcome);
		return this.#requests.written(outcome);
	}

	#name(text: string) {
		const { naming, screen } = this.#requests;
		const title = nameText(text);
		if (title === "") return this.#requests.fail("empty_name");
		this.#requests.stop();
		if (this.#saved(nameByPerson(naming, title))) screen.show(titleLines({ title, source: "manual" }));
	}

	async #suggest(style: TitleStyle) {
		const { naming, screen } = this.#requests;
		const reading = this.#requests.read();
		const { stamp, hasTopic } = reading;
		const { candidates } = this.#requests.choose();
		const [first] = candidates;
		/** The name that the user saw and asked to replace. */
		const seen = knownNames(naming).current;
		const land = (made: MadeTitle) => {
			// The user asked for a kebab-case name and sees it, so it counts as chosen by a person.
			const source = style === "kebab" ? "manual" : "auto";
			const data: TitleData = { ...made, source, ...(stamp !== undefined && { last_message_id: stamp }) };
			const mayReplace = (name: CurrentName) => name.source === "auto" || name.id === seen?.id;
			if (this.#saved(nameSession(naming, { data, mayReplace }))) screen.show(titleLines(data));
		};
		if (!hasTopic || !first) return this.#requests.fail(hasTopic ? "no_model" : "empty_history");
		screen.asking(asking(formatSpec(first.model)), () => {
			this.#requests.stop();
			screen.say("rename: the request was canceled; the name is unchanged.");
		});
		await this.#requests.start("typed", { reading, style, candidates }, land);
	}

	#undo() {
		const { naming, screen } = this.#requests;
		const { current, previous } = knownNames(naming);
		if (!current || current.text === previous) return this.#requests.fail("nothing_to_undo");
		this.#requests.stop();
		if (!this.#saved(nameByPerson(naming, previous))) return;
		if (previous !== "") return screen.show(titleLines({ title: previous, source: "manual" }));
		screen.hide();
		screen.say(
			"rename: the name was removed, and the session will not be named automatically again. Type /rename <name> to name it.",
		);
	}
}
