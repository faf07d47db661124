/** The agent folder of pi. */
export function agentDirIn(env: Readonly<Record<string, string | undefined>>): string;
/** Replaces a leading `~` with the home folder. */
export function withHome(path: string): string;
