import { isOverMinute } from "../text/index.ts";
import type { LanguageCode } from "./card-words.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Number of hours for which "3 hours ago" is more informative than the name of the day. */
const RECENT_HOURS = 12;

/** Returns how long ago something was: "5 minutes ago", "yesterday", "3 days ago", or the date. */
export function longAge(then: number, now: number, language: LanguageCode = "en"): string {
	const age = now - then;
	const ago = (count: number, unit: Intl.RelativeTimeFormatUnit): string =>
		new Intl.RelativeTimeFormat(language, { numeric: count > 1 ? "always" : "auto" }).format(-count, unit);
	if (!isOverMinute(then, now)) return ago(0, "second");
	if (age < HOUR) return ago(Math.floor(age / MINUTE), "minute");
	const days = daysBetween(then, now);
	if (days === 0 || age < RECENT_HOURS * HOUR) return ago(Math.max(1, Math.floor(age / HOUR)), "hour");
	if (days < 14) return ago(days, "day");
	return days < 60 ? ago(Math.floor(days / 7), "week") : dateOf(then);
}

function daysBetween(then: number, now: number): number {
	// Days with a clock change have 23 or 25 hours.
	return Math.round((midnightOf(now) - midnightOf(then)) / DAY);
}

export function midnightOf(time: number): number {
	return new Date(time).setHours(0, 0, 0, 0);
}

/** Returns the date in the user's time zone, in the form `2026-03-13` in every language, which is the Swedish format. */
export function dateOf(time: number): string {
	return new Date(time).toLocaleDateString("sv");
}

export function clockOf(time: number): string {
	return new Date(time).toLocaleTimeString("sv", { timeStyle: "short" });
}
