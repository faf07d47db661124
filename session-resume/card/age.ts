const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Hours for which "3 h ago" says more than the name of the day. */
const RECENT_HOURS = 12;

/** How long ago something was, as people say it: "5 min ago", "3 h ago", "yesterday", "3 days ago"; then the date. */
export function describeAge(then: number, now: number): string {
	const age = now - then;
	if (!(age >= MINUTE)) return "just now";
	if (age < HOUR) return `${Math.floor(age / MINUTE)} min ago`;
	const days = daysBetween(then, now);
	if (days === 0 || age < RECENT_HOURS * HOUR) return `${Math.floor(age / HOUR)} h ago`;
	if (days === 1) return "yesterday";
	if (days < 14) return `${days} days ago`;
	if (days < 60) return `${Math.floor(days / 7)} weeks ago`;
	return dateOf(then);
}

/** Midnights of the user's own clock between two moments. */
function daysBetween(then: number, now: number): number {
	// Days with a clock change have 23 or 25 hours.
	return Math.round((midnight(now) - midnight(then)) / DAY);
}

function midnight(time: number): number {
	return new Date(time).setHours(0, 0, 0, 0);
}

function dateOf(time: number): string {
	const date = new Date(time);
	const two = (value: number) => String(value).padStart(2, "0");
	return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
