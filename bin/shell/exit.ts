/** Exit codes: what a script can tell apart. */
export const DONE = 0;
/** It was understood, and could not be done. */
export const FAILED = 1;
/** What was asked for is not there, is not clear, or is no command. */
export const NOT_FOUND = 2;
