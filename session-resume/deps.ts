import type {
	Commons,
	ExtensionAPI,
	ExtensionContext,
	HostSession,
	NoteOutcome,
	Settings,
	Shared,
	Trigger,
} from "../session-core/pi/index.ts";
import type { Prepared, SessionRecord } from "../session-core/recap/index.ts";
import type { CardScreen } from "./card/screen.ts";

export interface ResumeDeps {
	pi: ExtensionAPI;
	ctx: ExtensionContext;
	host: HostSession;
	shared: Pick<Shared, "recap" | "live" | "title" | "isDamaged">;
	settings(): Settings;
	commons: Commons;
	screen: CardScreen;
}

/** The record with a model's note, or the reason why there is no note. */
export type RecordOutcome = { ok: true; recap: SessionRecord } | Exclude<NoteOutcome, { ok: true }>;

export type AskNote = (state: Prepared, by: Trigger, done: (outcome: RecordOutcome) => void) => void;
