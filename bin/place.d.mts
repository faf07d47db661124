/** The folder that pi keeps its things in. */
export function agentDirIn(env: Readonly<Record<string, string | undefined>>): string;
/** The path with the home folder for `~`. */
export function withHome(path: string): string;
