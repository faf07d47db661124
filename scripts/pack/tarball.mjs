import { spawnSync } from "node:child_process";
import { DIST } from "./places.mjs";

/** Pack a folder with npm into `dist/`. Returns npm's own report: `filename`, `size`, `unpackedSize`, `files`. */
export function packTarball(folder) {
	const npm = spawnSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", DIST], {
		cwd: folder,
		encoding: "utf8",
		shell: process.platform === "win32",
	});
	if (npm.status !== 0) throw new Error(`npm pack ended with code ${npm.status}\n${npm.stderr}`);
	const [report] = JSON.parse(npm.stdout);
	return report;
}
