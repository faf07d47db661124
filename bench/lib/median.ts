/** The middle value; the mean of the two middle ones of an even number; NaN of none. */
export function median(values: readonly number[]): number {
	const sorted = [...values].sort((one, other) => one - other);
	const middle = sorted.length / 2;
	const low = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
	const high = sorted[Math.floor(middle)] ?? Number.NaN;
	return (low + high) / 2;
}
