/** Time after which a provider that was busy is asked about the same state once more, in ms. */
export const PAUSE_MS = 60_000;
