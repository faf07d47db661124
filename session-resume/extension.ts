import type { ExtensionCommandContext } from "@mariozechner/pi-coding-agent";
import type { DoctorSection } from "../session-core/command/doctor.ts";
import type { Completion } from "../session-core/command/options.ts";
import type { RecapDrafted } from "../session-core/events.ts";
import type { EndReason } from "../session-core/host/lifecycle.ts";
import type { Happening } from "./session.ts";

export type CommandName = "recap-card" | "resume-here" | "resume-from";

/** The extension in one session of the host, once it is loaded: with a user in front of it, or headless. */
export interface ResumeExtension {
	happened(what: Happening): void;
	claims(): boolean;
	/** The card of this state is on screen. */
	shows(stamp: string): boolean;
	/** Take the card off the screen; false: none was there. */
	clear(): boolean;
	drafted(recap: RecapDrafted): void;
	recapShown(): void;
	/** Performs a typed command; waits for the user where it asks, never for a model. */
	command(name: CommandName, args: string, ctx: ExtensionCommandContext): Promise<void>;
	/** The key: the card on the screen, or off it. */
	toggleCard(): Promise<void>;
	/** What `/recap doctor` is told; undefined: a headless run has nothing to say. */
	doctor(): Promise<DoctorSection> | undefined;
	complete(name: CommandName, prefix: string): Promise<Completion[] | null>;
	end(reason: EndReason): void;
}
