const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago something was, in the host's picker's words: `now`, `5m`, `3h`, `2d`, `3w`, `4mo`, `1y`. */
export function ageOf(then: number, now: number): string {
	const age = now - then;
	if (!(age >= MINUTE)) return "now";
	if (age < HOUR) return `${Math.floor(age / MINUTE)}m`;
	if (age < DAY) return `${Math.floor(age / HOUR)}h`;
	if (age < 7 * DAY) return `${Math.floor(age / DAY)}d`;
	if (age < 30 * DAY) return `${Math.floor(age / (7 * DAY))}w`;
	if (age < 365 * DAY) return `${Math.floor(age / (30 * DAY))}mo`;
	return `${Math.floor(age / (365 * DAY))}y`;
}
