import { lazily } from "../../session-core/lazily.ts";
import type { CommandDesk } from "../desk.ts";
import type { CommandName } from "../running.ts";

/** A typed command. Every one answers; none waits for a model. */
export async function runCommand(name: CommandName, args: string, desk: CommandDesk): Promise<void> {
	switch (name) {
		case "recap-card": {
			const { runCard } = await lazily(() => import("./card.ts"));
			return runCard(args, desk);
		}
		case "resume-here": {
			const { runHere } = await lazily(() => import("./here.ts"));
			return runHere(args, desk);
		}
		case "resume-from": {
			const { runFrom } = await lazily(() => import("./from.ts"));
			return runFrom(args, desk);
		}
	}
}
