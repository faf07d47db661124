/** The middle value; the mean of the two middle ones of an even number; NaN of none. */
export function median(values: readonly number[]): number {
	const sorted = [...values].sort((one, other) => one - other);
	const middle = sorted.length / 2;
	const low = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
	const high = sorted[Math.floor(middle)] ?? Number.NaN;
	return (low + high) / 2;
}

/**
 * Between which two of these values the median of all that could be measured lies, at 95 %: the order statistics that a sign test
 * leaves. The widest range of too few values.
 */
export function medianRange(values: readonly number[]): { low: number; high: number } {
	const sorted = [...values].sort((one, other) => one - other);
	const reach = 0.98 * Math.sqrt(sorted.length);
	const low = Math.max(0, Math.floor(sorted.length / 2 - reach) - 1);
	const at = (index: number) => sorted[index] ?? Number.NaN;
	return { low: at(low), high: at(sorted.length - 1 - low) };
}
