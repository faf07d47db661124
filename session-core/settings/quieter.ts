import type { JsonObject } from "../json.ts";
import { putDeep } from "./values.ts";

type Direction = (wanted: unknown, current: unknown) => boolean;

const isOff: Direction = (wanted) => wanted === false;
const isMore: Direction = (wanted, current) => Number(wanted) >= Number(current);
const isLess: Direction = (wanted, current) => Number(wanted) <= Number(current);
/** For keys where 0 means never. */
const isMoreOrNever: Direction = (wanted, current) =>
	wanted === 0 || (current !== 0 && isMore(wanted, current));

interface Quiet {
	/** What a project may change it to: a repository must not spend money or choose where text goes. */
	direction: Direction;
	/** What holds where nothing is known of what the user wants; absent: it makes no noise by itself. */
	quietest?: boolean | number;
}

const OFF: Quiet = { direction: isOff, quietest: false };
const NEVER: Quiet = { direction: isMoreOrNever, quietest: 0 };

/** The keys of which one value is quieter than another. */
const QUIET: Readonly<Record<string, Quiet>> = {
	debug: OFF,
	dailyCostLimit: { direction: isLess, quietest: 0 },
	"recap.enabled": OFF,
	"recap.focus": OFF,
	"recap.includeProjectContext": OFF,
	"recap.awaySeconds": { direction: isMore },
	"recap.focusMinSeconds": { direction: isMore },
	"recap.idleSeconds": { direction: isMore },
	"title.enabled": OFF,
	"resume.pinCard": OFF,
	"resume.notify": OFF,
	"resume.minMessages": NEVER,
	"resume.idleMinutes": NEVER,
};

/** Whether a project's value for a key (`recap.enabled`) only makes things quieter than what the user has. */
export function isQuieter(key: string, wanted: unknown, current: unknown): boolean {
	return Object.hasOwn(QUIET, key) && QUIET[key]?.direction(wanted, current) === true;
}

/** Everything that happens by itself, off. */
export function quietestValues(): JsonObject {
	const values: JsonObject = {};
	for (const [name, { quietest }] of Object.entries(QUIET)) {
		if (quietest !== undefined) putDeep(values, name.split("."), quietest);
	}
	return values;
}
