/** Why something does not happen by itself. */
export type OffReason = "flag" | "environment" | "setting";

export interface OffSwitches {
	/** Value of the `--…-disable` flag. */
	flag: boolean | string | undefined;
	/** Value of the environment variable; `1` switches off. */
	variable: string | undefined;
	/** The setting. */
	enabled: boolean;
}

/** The switch that is off, the most immediate one first; undefined: it is on. */
export function offReason({ flag, variable, enabled }: OffSwitches): OffReason | undefined {
	if (flag === true) return "flag";
	if (variable === "1") return "environment";
	return enabled ? undefined : "setting";
}
