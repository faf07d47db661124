/** Command-line flags of the extensions. The host shows the descriptions in `pi --help`. */

/** What an extension needs of the host to have flags. */
export interface FlagHost {
	registerFlag(name: string, options: { description: string; type: "boolean" | "string" }): void;
	getFlag(name: string): boolean | string | undefined;
}

export type FlagTable = Readonly<Record<string, { type: "boolean" | "string"; description: string }>>;

/** What the user passed; absent: nothing. */
export type FlagValues<Name extends string> = Partial<Record<Name, boolean | string>>;

export function registerFlags(host: FlagHost, table: FlagTable): void {
	for (const [name, options] of Object.entries(table)) host.registerFlag(name, options);
}

export function readFlags<Table extends FlagTable>(
	host: FlagHost,
	table: Table,
): FlagValues<keyof Table & string> {
	const values: FlagValues<keyof Table & string> = {};
	for (const name of Object.keys(table) as (keyof Table & string)[]) {
		const value = host.getFlag(name);
		if (value !== undefined) values[name] = value;
	}
	return values;
}

/** The text of a flag; undefined where it was not passed or is blank. */
export function textFlag(value: boolean | string | undefined): string | undefined {
	return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
