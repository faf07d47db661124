// Bundles one extension with its share of session-core into a single file: dist/<name>.js, ready to be dropped into
// ~/.pi/agent/extensions/. The host's own packages stay imports: it brings them.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const names = process.argv.slice(2);
if (names.length === 0) {
	console.error("usage: npm run pack:one -- session-recap [more extensions]");
	process.exit(2);
}
for (const name of names) {
	const input = `${root}${name}/index.ts`;
	if (!existsSync(input)) {
		console.error(`There is no extension "${name}": ${input} does not exist.`);
		process.exit(2);
	}
	const file = `${root}dist/${name}.js`;
	const bundle = await rolldown({
		input,
		platform: "node",
		// jsonc-parser's CommonJS build hides its own requires from bundlers.
		resolve: { mainFields: ["module", "main"] },
		external: [/^node:/, /^@mariozechner\//, /^@earendil-works\//, /^typebox(\/|$)/],
	});
	await bundle.write({ file, format: "esm", codeSplitting: false });
	await bundle.close();
	console.log(`packed ${file}`);
}
