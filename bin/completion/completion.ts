import type { ArgDef, ArgsDef } from "citty";
import { titleOf } from "../../session-core/find/match.ts";
import { Offers } from "../../session-core/find/offers.ts";
import { clipColumns } from "../../session-core/text/clip.ts";
import { allSessions, sessionsHere } from "../sessions/place.ts";
import type { CommandTable } from "../shell/command.ts";
import { DONE, NOT_FOUND } from "../shell/exit.ts";
import type { World } from "../shell/world.ts";
import { bashScript, fishScript, type Offered, zshScript } from "./scripts.ts";

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** `pi-sessions completion` */
export async function completion(
	{ shell, titles }: { shell?: string | undefined; titles?: boolean | undefined },
	world: World,
	commands: CommandTable,
): Promise<number> {
	if (titles) {
		for (const line of await titleLines(world)) world.out.write(`${line}\n`);
		return DONE;
	}
	const script = Object.entries(SHELLS).find(([name]) => name === shell)?.[1];
	if (!script) {
		world.err.write("pi-sessions completion: for which shell? bash, zsh or fish.\n");
		return NOT_FOUND;
	}
	world.out.write(script(await offered(commands)));
	return DONE;
}

/** What a session can be called: its title where that says which, else its id; behind a tab, what it is about. */
async function titleLines(world: World): Promise<string[]> {
	const here = await sessionsHere(world);
	const rows = here.length > 0 ? here : await allSessions(world);
	const offers = new Offers(rows.filter(({ kind }) => kind !== "child"));
	return offers.matching("").map((offer) => {
		const value = offers.valueOf(offer);
		const about = clipColumns(titleOf(offer.row), 60);
		return `${value}\t${value === about ? offers.shortId(offer.row.id) : about}`;
	});
}

async function offered(commands: CommandTable): Promise<Offered[]> {
	return Promise.all(
		Object.entries(commands).map(async ([name, { description: about, load }]) => {
			const { args } = await load();
			return {
				name,
				description: about,
				options: Object.entries<ArgDef>(args)
					.filter(([option, { type }]) => type !== "positional" && option !== "titles")
					.map(([option, { type, description = "", ...rest }]) => ({
						name: option,
						description,
						takesValue: type !== "boolean",
						values: "options" in rest && Array.isArray(rest.options) ? rest.options.map(String) : [],
					})),
				takes: takenBy(args),
			};
		}),
	);
}

function takenBy(args: ArgsDef): Offered["takes"] {
	if ("session" in args) return "session";
	return "shell" in args ? "shell" : "nothing";
}
