// @ts-check
/** Ages in a few columns. Plain JavaScript, because the page in the browser loads it, too. Times are in milliseconds. */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const UNITS = { y: 365 * DAY, mo: 30 * DAY, w: 7 * DAY, d: DAY, h: 60 * MINUTE, m: MINUTE };

/** The width of the longest short age, in terminal columns. */
export const SHORT_AGE_COLUMNS = 4;

/**
 * Returns an age in a few columns: `now`, `5m`, `3h`, `2d`, `3w`, `4mo`, `1y`.
 * @param {number} then
 * @param {number} now
 */
export function shortAge(then, now) {
	const unit = Object.entries(UNITS).find(([, length]) => now - then >= length);
	return unit ? `${Math.floor((now - then) / unit[1])}${unit[0]}` : "now";
}

/**
 * Whether the age is long enough to be shown; also false for an unknown time.
 * @param {number} then
 * @param {number} now
 */
export function isOverMinute(then, now) {
	return now - then >= MINUTE;
}
