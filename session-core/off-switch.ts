/** Why something does not happen by itself. */
export type OffReason = "flag" | "environment" | "setting" | "project";

export interface OffSwitches {
	/** Value of the `--…-disable` flag. */
	flag: boolean | string | undefined;
	/** Value of the environment variable; `1` switches off. */
	variable: string | undefined;
	/** The setting. */
	enabled: boolean;
	/** It is off because the project says so. */
	byProject?: boolean;
}

/** The switch that is off, the most immediate one first; undefined: it is on. */
export function offReason({ flag, variable, enabled, byProject }: OffSwitches): OffReason | undefined {
	if (flag === true) return "flag";
	if (variable === "1") return "environment";
	if (enabled) return undefined;
	return byProject ? "project" : "setting";
}
