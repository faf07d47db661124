import { lazily } from "../../session-core/lazily.ts";
import type { CommandContext } from "../context.ts";
import type { CommandName } from "../extension.ts";

/** A typed command. Every one answers; none waits for a model. */
export async function runCommand(name: CommandName, args: string, context: CommandContext): Promise<void> {
	switch (name) {
		case "recap-card": {
			const { runCard } = await lazily(() => import("./card.ts"));
			return runCard(args, context);
		}
		case "resume-here": {
			const { runHere } = await lazily(() => import("./here.ts"));
			return runHere(args, context);
		}
		case "resume-from": {
			const { runFrom } = await lazily(() => import("./from.ts"));
			return runFrom(args, context);
		}
	}
}
