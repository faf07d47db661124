/**
 * The leases that this instance of the extension holds. The host loads an extension anew for each session that it opens, so
 * another session in the same process is another writer, as it should be.
 */
const OWN = new Set<string>();

export const ownLeases: ReadonlySet<string> = OWN;

export function hold(instance: string): void {
	OWN.add(instance);
}

export function letGo(instance: string): void {
	OWN.delete(instance);
}
