type Direction = (wanted: unknown, current: unknown) => boolean;

const isOff: Direction = (wanted) => wanted === false;
const isMore: Direction = (wanted, current) => Number(wanted) >= Number(current);
const isLess: Direction = (wanted, current) => Number(wanted) <= Number(current);
/** For keys where 0 means never. */
const isMoreOrNever: Direction = (wanted, current) =>
	wanted === 0 || (current !== 0 && isMore(wanted, current));

/** What a project may change, and in which direction: a repository must not spend money or choose where text goes. */
const QUIETER: Readonly<Record<string, Direction>> = {
	debug: isOff,
	dailyCostLimit: isLess,
	"recap.enabled": isOff,
	"recap.focus": isOff,
	"recap.includeProjectContext": isOff,
	"recap.awaySeconds": isMore,
	"recap.focusMinSeconds": isMore,
	"recap.idleSeconds": isMore,
	"title.enabled": isOff,
	"resume.pinCard": isOff,
	"resume.minMessages": isMoreOrNever,
	"resume.idleMinutes": isMoreOrNever,
};

/** Whether a project's value for a key (`recap.enabled`) only makes things quieter than what the user has. */
export function isQuieter(key: string, wanted: unknown, current: unknown): boolean {
	return Object.hasOwn(QUIETER, key) && QUIETER[key]?.(wanted, current) === true;
}
