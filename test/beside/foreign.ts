import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export function foreignExtension(body: string): string {
	const folder = mkdtempSync(join(tmpdir(), "foreign-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const path = join(folder, "foreign.ts");
	writeFileSync(path, `export default (pi) => {\n${body}\n};\n`);
	return path;
}

export const foreignTool = (name: string): string => `pi.registerTool({
	name: "${name}",
	label: "foreign",
	description: "of another package",
	parameters: { type: "object", properties: {} },
	execute: async () => ({ content: [{ type: "text", text: "the foreign tool ran" }], details: {} }),
});`;

export const foreignCommand = (name: string): string => `pi.registerCommand("${name}", {
	description: "of another package",
	handler: async (_args, ctx) => ctx.ui.notify("the foreign command ran", "warning"),
});`;
