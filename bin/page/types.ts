import type { SessionRecord } from "../../session-core/recap/index.ts";
import type * as sessions from "../../session-core/sessions/index.ts";
import type { ListedState } from "../../session-core/sessions/session-list.mjs";
import type * as acts from "../serve/acts.ts";
import type * as board from "../serve/board.ts";
import type { EventsJson } from "../serve/events.ts";
import type * as routes from "../serve/routes.ts";
import type { toRow } from "./sessions.js";

/** The types for the page's scripts are global, so that the scripts need no type imports in comments. */
declare global {
	type SessionJson = sessions.SessionJson;
	type SessionsJson = board.SessionsJson;
	type ResumeJson = acts.ResumeJson;
	type CardJson = routes.CardJson;
	type HealthJson = routes.HealthJson;
	type Recap = SessionRecord;
	type Artifact = SessionRecord["artifacts"][number];
	type Overlap = SessionJson["overlaps"][number];

	type Row = ReturnType<typeof toRow>;
	type Live = EventsJson["live"]["live"][number];
	type Chip = "all" | "jobs" | ListedState;

	type Shown = Omit<SessionJson, "branch" | "ending" | "next">;
	/**
	 * If a session's details cannot be loaded, the card shows only the `problem` and data from the session
	 * list.
	 */
	type Card = Omit<Partial<CardJson>, "session"> & {
		session: Shown;
		resume_command: string;
		plan?: ResumeJson | undefined;
		problem?: string;
	};
	type Opener = readonly [label: string, open: () => void];

	type HitJson = Awaited<ReturnType<typeof sessions.hitJson<SessionJson>>>;
	type Hits = readonly HitJson[];
	type Found = { hits: HitJson[]; note?: string };
	type Search = { query: string; note: string; hits: Hits };

	type Listener = {
		[Name in keyof EventsJson]: (data: EventsJson[Name] & { total: number; revision: number }) => void;
	} & { lost(): void; refused(): void };

	type Elements = Record<
		"chips" | "list" | "card" | "link" | "empty" | "found" | "search" | "note" | "hits" | "message",
		HTMLElement
	> & {
		filter: HTMLInputElement;
		token: HTMLInputElement;
		door: HTMLDialogElement;
		"door-text": HTMLElement;
	};
	type Tags = HTMLElementTagNameMap;
	type Child = string | Node | false | null | undefined;
	type Children = readonly (Child | readonly Child[])[];
	/** Maps keys to numbers of rows. */
	type Steps = Readonly<Record<string, number>>;
	type Timer = ReturnType<typeof setTimeout>;
}
