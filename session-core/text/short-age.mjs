// @ts-check
/** This file is plain JavaScript, because the web page also loads it. All times are in milliseconds. */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const UNITS = { y: 365 * DAY, mo: 30 * DAY, w: 7 * DAY, d: DAY, h: 60 * MINUTE, m: MINUTE };

export const SHORT_AGE_COLUMNS = 4;

/**
 * Formats an age in at most four columns: `now`, `5m`, `3h`, `2d`, `3w`, `4mo`, `1y`.
 * @param {number} then
 * @param {number} now
 */
export function shortAge(then, now) {
	const unit = Object.entries(UNITS).find(([, length]) => now - then >= length);
	return unit ? `${Math.floor((now - then) / unit[1])}${unit[0]}` : "now";
}

/**
 * Returns true if the age is at least one minute. Returns false if the time is unknown (`NaN`).
 * @param {number} then
 * @param {number} now
 */
export function isOverMinute(then, now) {
	return now - then >= MINUTE;
}
