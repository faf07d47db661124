/** What the extensions tell each other on `pi.events`. They never import each other. */

import type { DoctorSection } from "./command/doctor.ts";

/** The part of the host's event bus that is used. Handlers run at once, before `emit` returns. */
export interface EventBus {
	emit(channel: string, data: unknown): void;
	on(channel: string, handler: (data: unknown) => void): () => void;
}

/** A session with a past was opened. Who shows a card for it sets `claimed`; then the recap stays off the screen. */
export interface SessionReopened {
	/** Id of the last message. */
	stamp: string;
	claimed: boolean;
	/** The card is on screen already. */
	shown: boolean;
	/** Those that are still loading: what they resolve to do is in `claimed` and `shown` by then. */
	undecided: Promise<void>[];
}

/** A model's recap of the state `stamp` is there. */
export interface RecapDrafted {
	stamp: string;
	/** 1–3 sentences, safe to show. */
	text: string;
	/** `provider/model`. */
	model: string;
}

/** A recap is on screen; anything else that says the same gives way. */
export interface RecapShown {
	stamp: string;
}

/** A card of this state is on screen; a recap of it gives way. */
export interface CardShown {
	stamp: string;
}

/** The user wants what says where the session stands off the screen. Who takes something off sets `cleared`. */
export interface RecapCleared {
	cleared: boolean;
}

/** Somebody wants to know whether the user looks at the terminal. Who is sure of it sets `looked`. */
export interface LookedAt {
	looked: boolean;
}

/** The terminal has the focus again. */
export type Returned = Record<never, never>;

/** `/recap doctor` was typed. Each extension adds what it has to say of itself. */
export interface DoctorAsked {
	answers: Promise<DoctorSection>[];
}

interface Payloads {
	"session-suite:reopened": SessionReopened;
	"session-suite:recap-drafted": RecapDrafted;
	"session-suite:recap-shown": RecapShown;
	"session-suite:card-shown": CardShown;
	"session-suite:recap-cleared": RecapCleared;
	"session-suite:looked-at": LookedAt;
	"session-suite:returned": Returned;
	"session-suite:doctor": DoctorAsked;
}

export type Channel = keyof Payloads;

/** Tell the others. */
export function tell<C extends Channel>(bus: EventBus, channel: C, payload: Payloads[C]): void {
	bus.emit(channel, payload);
}

/** What the other extensions say to `/recap doctor`. One that fails keeps nobody from hearing the rest. */
export async function askDoctors(bus: EventBus): Promise<DoctorSection[]> {
	const asked: DoctorAsked = { answers: [] };
	tell(bus, "session-suite:doctor", asked);
	const answers = await Promise.allSettled(asked.answers);
	return answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
}

/** Hear the others. Only this suite sends on these channels, with these payloads. Returns the way to stop. */
export function hear<C extends Channel>(
	bus: EventBus,
	channel: C,
	handler: (payload: Payloads[C]) => void,
): () => void {
	return bus.on(channel, (data) => handler(data as Payloads[C]));
}
