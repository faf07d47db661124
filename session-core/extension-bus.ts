/** The events that the extensions exchange through `pi.events`. Extensions never import one another. */

import type { DoctorSection } from "./command/doctor.ts";

/** The part of the host's event bus that the suite uses. Handlers run immediately, before `emit` returns. */
export interface EventBus {
	emit(channel: string, data: unknown): void;
	on(channel: string, handler: (data: unknown) => void): () => void;
}

/**
 * Sent when a session with a history was opened. If an extension shows a card for the session, it sets `claimed`, and the recap is not
 * shown.
 */
export interface SessionReopened {
	/** Id of the last message. */
	stamp: string;
	claimed: boolean;
	/** Whether the card is already on the screen. */
	shown: boolean;
	/** Promises of extensions that are still loading. Once all of them have resolved, `claimed` and `shown` are final. */
	undecided: Promise<void>[];
}

/** Sent when a model has written a recap of the state that `stamp` identifies. */
export interface RecapDrafted {
	stamp: string;
	/** 1–3 sentences, safe to show. */
	text: string;
	/** `provider/model`. */
	model: string;
}

/** Sent when a recap appears on the screen, so that a card of the same state is hidden. */
export interface RecapShown {
	stamp: string;
}

/** Sent when a card of this state is on the screen, so that a recap of it is hidden. */
export interface CardShown {
	stamp: string;
}

/** Sent when the user wants to hide the recap or card. An extension that hides one sets `cleared`. */
export interface RecapCleared {
	cleared: boolean;
}

/** Asks whether the user is looking at the terminal. An extension that knows this for certain sets `looked`. */
export interface LookedAt {
	looked: boolean;
}

/** Sent when the terminal reports that it gains or loses the focus. Either way, the user looks at it or has looked at it until now. */
export type FocusReported = Record<never, never>;

/** Sent for `/recap doctor`. Each extension adds its own section. */
export interface DoctorRequested {
	answers: Promise<DoctorSection>[];
}

interface Payloads {
	"session-suite:reopened": SessionReopened;
	"session-suite:recap-drafted": RecapDrafted;
	"session-suite:recap-shown": RecapShown;
	"session-suite:card-shown": CardShown;
	"session-suite:recap-cleared": RecapCleared;
	"session-suite:looked-at": LookedAt;
	"session-suite:focus": FocusReported;
	"session-suite:doctor": DoctorRequested;
}

export type Channel = keyof Payloads;

/** Tell the others. */
export function tell<C extends Channel>(bus: EventBus, channel: C, payload: Payloads[C]): void {
	bus.emit(channel, payload);
}

/** Returns the sections of the other extensions for `/recap doctor`. If one section fails, the others are still included. */
export async function collectDoctorSections(bus: EventBus): Promise<DoctorSection[]> {
	const asked: DoctorRequested = { answers: [] };
	tell(bus, "session-suite:doctor", asked);
	const answers = await Promise.allSettled(asked.answers);
	return answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
}

/**
 * Subscribes to an event. Only this suite uses these channels, so the payload has the declared type. Returns a function that
 * unsubscribes.
 */
export function hear<C extends Channel>(
	bus: EventBus,
	channel: C,
	handler: (payload: Payloads[C]) => void,
): () => void {
	return bus.on(channel, (data) => handler(data as Payloads[C]));
}
