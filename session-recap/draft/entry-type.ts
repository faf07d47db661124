/** Type of the custom entries that hold a model's recap. */
export const RECAP_TEXT_ENTRY = "session-suite:recap-text";
