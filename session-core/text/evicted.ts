/** What eviction leaves behind where a host moved old content to cold storage. */
const EVICTED = /^\s*\[[^\]\n]{0,80}\bevicted\b[^\]\n]{0,80}\]\s*$/i;

/** Whether a text was moved out of the log: it is no evidence of anything. */
export function isEvicted(text: string): boolean {
	return EVICTED.test(text);
}
