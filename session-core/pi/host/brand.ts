import { readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** The name that the host shows in the terminal title, and the name of its configuration folder, both in the home folder and in projects. */
interface Brand {
	title: string;
	configDir: string;
}

const PI: Brand = { title: "π", configDir: ".pi" };

let known: Brand | undefined;

export function hostBrand(): Brand {
	known ??= brandOf([process.argv[1] ?? "", process.execPath]);
	return known;
}

/**
 * Reads the host's brand from its package.json, because not every host exports its brand. `programs`: the host's program and, if the host
 * is a single binary, that binary.
 */
export function brandOf(programs: readonly string[]): Brand {
	const found = programs.flatMap((program) => piConfigAbove(program) ?? [])[0];
	const { name, configDir } = found ?? {};
	const textOr = (value: unknown, other: string) =>
		typeof value === "string" && value !== "" ? value : other;
	return { title: textOr(name, PI.title), configDir: textOr(configDir, PI.configDir) };
}

function piConfigAbove(program: string): { name?: unknown; configDir?: unknown } | undefined {
	let below: string;
	try {
		below = realpathSync(program);
	} catch {
		// A program inside a bundle has no file.
		return undefined;
	}
	for (let folder = dirname(below); folder !== below; folder = dirname(folder)) {
		below = folder;
		try {
			const { piConfig } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
			if (typeof piConfig === "object" && piConfig !== null) return piConfig;
		} catch {
			// The host's package.json may be in a folder further up.
		}
	}
	return undefined;
}
