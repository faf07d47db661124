import { expect, test } from "vitest";
import type { RecapAnswer } from "./ask.ts";
import { createDrafter } from "./draft.ts";
import type { RecapReading } from "./reading.ts";
import { createTypedRecap } from "./typed-recap.ts";

function typedRecap() {
	const answers: ((answer: RecapAnswer) => void)[] = [];
	const reading = {
		stamp: "m1",
		lines: ["offline"],
		artifacts: "",
		hasTask: true,
	} as unknown as RecapReading; // nothing else is read
	const nothing = () => undefined;
	const drafter = createDrafter({
		ask: () => new Promise((resolve) => answers.push(resolve)),
		save: nothing,
		changed: (draft) => typed.changed(draft),
	});
	const screen = {
		say: nothing,
		show: nothing,
		hide: nothing,
		asking: nothing,
		answered: nothing,
		isTyped: () => false,
		isTerminal: () => true,
	};
	const typed = createTypedRecap({
		screen,
		surface: { stamp: undefined, put: nothing, hide: nothing },
		readCurrent: async () => reading,
		drafter,
		isLive: () => true,
		isIdle: () => true,
		shown: nothing,
		log: nothing,
	});
	return { typed, answers };
}

test("every command that waits for a recap is answered, also if a later one called the model again", async () => {
	const { typed, answers } = typedRecap();
	const first = typed.recap({ force: true });
	const second = typed.recap({ force: true });
	await expect.poll(() => answers.length).toBe(2);
	answers[1]?.({ ok: true, text: "The login works.", model: "p/m" });
	await Promise.all([first, second]);
});
