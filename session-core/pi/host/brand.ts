import { readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

interface Brand {
	title: string;
	configDir: string;
}

const DEFAULT_BRAND: Brand = { title: "π", configDir: ".pi" };

let known: Brand | undefined;

export function hostBrand(): Brand {
	// If pi is a single binary, pi's package.json is next to the executable and not next to a script.
	known ??= brandOf([process.argv[1] ?? "", process.execPath]);
	return known;
}

/** Reads pi's name from pi's package.json, because not every pi version exports the name. */
export function brandOf(programs: readonly string[]): Brand {
	const found = programs.flatMap((program) => piConfigAbove(program) ?? [])[0];
	const { name, configDir } = found ?? {};
	const textOr = (value: unknown, other: string) =>
		typeof value === "string" && value !== "" ? value : other;
	return { title: textOr(name, DEFAULT_BRAND.title), configDir: textOr(configDir, DEFAULT_BRAND.configDir) };
}

function piConfigAbove(program: string): { name?: unknown; configDir?: unknown } | undefined {
	let below: string;
	try {
		below = realpathSync(program);
	} catch {
		return undefined;
	}
	for (let folder = dirname(below); folder !== below; folder = dirname(folder)) {
		below = folder;
		try {
			const { piConfig } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
			if (typeof piConfig === "object" && piConfig !== null) return piConfig;
		} catch {
			// If a folder has no readable package.json, the search continues in the parent folder.
		}
	}
	return undefined;
}
