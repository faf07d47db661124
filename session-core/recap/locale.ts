import { isOverMinute, type Language } from "../text/index.ts";

export const LANGUAGES = ["en", "zh", "ja", "ko", "de", "fr", "es", "pt", "ru"] as const;

export type LanguageCode = (typeof LANGUAGES)[number];

let names: Intl.DisplayNames | undefined;

/** Language names are loaded only when needed, because loading them takes tens of milliseconds. */
function englishName(code: LanguageCode): string | undefined {
	names ??= new Intl.DisplayNames(["en"], { type: "language" });
	return names.of(code);
}

/**
 * The language comes from `setting` (a BCP 47 tag), the user's prompts or the locale, in that order.
 * The default is English.
 */
export function chooseLanguage(
	setting: string | undefined,
	own: Language | undefined,
	env: Readonly<Record<string, string | undefined>>,
): LanguageCode {
	const named = own && LANGUAGES.find((code) => englishName(code) === own.name);
	// In POSIX, the first variable that is not empty sets the locale, so `LC_ALL=C` overrides `LANG`.
	const locale = env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "";
	const wanted = setting ?? named ?? locale;
	const language = /^[a-z]{2,3}(?=$|[-_.@])/i.exec(wanted)?.[0].toLowerCase();
	return LANGUAGES.find((code) => code === language) ?? "en";
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The maximum age, in hours, for which "3 hours ago" is more informative than "yesterday". */
const RECENT_HOURS = 12;

/**
 * Returns a relative time, such as "5 minutes ago" or "yesterday", or a date for times more than about
 * two months ago.
 */
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
	return Math.round((midnightOf(now) - midnightOf(then)) / DAY);
}

export function midnightOf(time: number): number {
	return new Date(time).setHours(0, 0, 0, 0);
}

/**
 * Returns a date such as `2026-03-13` in the user's time zone. The Swedish locale is used, because its
 * date format follows ISO 8601.
 */
export function dateOf(time: number): string {
	return new Date(time).toLocaleDateString("sv");
}

export function clockOf(time: number): string {
	return new Date(time).toLocaleTimeString("sv", { timeStyle: "short" });
}
