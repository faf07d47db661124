/** Type of the custom entries that hold recap records. Apart from what reads them: writing needs no more than the name. */
export const RECORD_ENTRY = "session-suite:recap";
