/** The rows of a table in a text, for `test.each`: one row per line, with bars between the columns. */
export function rowsOf(table: string, bar = "|"): string[][] {
	const rows = table.trim().split("\n");
	return rows.map((row) => row.split(bar).map((cell) => cell.trim()));
}
