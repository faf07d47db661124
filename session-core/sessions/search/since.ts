const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

const DAY = 86_400_000;

/**
 * Accepts the same formats as `sinceTime`. A date stands for the end of the day, which may be in the
 * future.
 */
export function untilTime(text: string, now: number): number | undefined {
	const end = sinceTime(text, now + 400 * DAY);
	if (end === undefined) return undefined;
	if (!/-/.test(text)) return end - 400 * DAY;
	// A day can have 23 or 25 hours, so adding 24 hours would be wrong.
	const date = new Date(end);
	return date.setDate(date.getDate() + 1);
}

/**
 * Accepts `90m`, `8h`, `2d`, `3w` or a date such as `2026-01-31`. Returns milliseconds since the epoch, or
 * undefined for any other text.
 */
export function sinceTime(text: string, now: number): number | undefined {
	const [, count, unit] = /^(\d{1,6})([mhdw])$/.exec(text.trim()) ?? [];
	if (count !== undefined) return now - Number(count) * UNITS[unit as keyof typeof UNITS];
	const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text.trim()) ?? [];
	if (year === undefined) return undefined;
	const date = new Date(Number(year), Number(month) - 1, Number(day));
	// An impossible date such as 2026-02-30 must not be accepted as a day in March.
	return date.getMonth() === Number(month) - 1 && date.getTime() <= now ? date.getTime() : undefined;
}
