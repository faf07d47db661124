/**
 * Phrasings that were written by a reader who had not seen the redaction. Format: phrasings.test-support.ts. One that is
 * missed is not taken out: it stays, and the redaction learns its class.
 */
export const UNSEEN = String.raw`
// What is escaped in the original is written as it stands there: \n
`;
