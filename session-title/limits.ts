/** Maximum width of a title in columns. */
export const TITLE_COLUMNS = 80;

/** Maximum number of words in a title. In CJK text, two characters count as a word. */
export const MAX_WORDS = 12;
/** Maximum number of words in a title whose script has no spaces between words. */
export const MAX_DENSE_WORDS = 20;

/** Maximum width of an answer in columns. A wider answer is not a title. */
export const MAX_ANSWER_COLUMNS = 160;

/** Maximum number of automatic requests in a session without a title. */
export const MAX_ATTEMPTS = 3;
