import type { ExtensionAPI, ExtensionCommandContext, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { DoctorSection } from "../session-core/command/doctor.ts";
import type { Completion } from "../session-core/command/options.ts";
import type { ShortcutKeys } from "../session-core/command/shortcuts.ts";
import type { DebugLog } from "../session-core/debug-log.ts";
import type { EndReason } from "../session-core/host/host-events.ts";
import type { Continuation } from "../session-core/hub/shared.ts";
import type { Settings } from "../session-core/settings/defaults.ts";
import type { Screen } from "./card/screen.ts";
import type { HostSession } from "./host-session.ts";
import type { RecordRequest } from "./record/record-request.ts";
import type { ResumeSession } from "./session.ts";

export type CommandName = "recap-card" | "resume-here" | "resume-from" | "today";

/** The loaded extension in one session of the host. */
export interface ResumeExtension {
	/** Runs a typed command. May wait for the user, but never for a model. */
	command(name: CommandName, args: string, ctx: ExtensionCommandContext): Promise<void>;
	end(reason: EndReason): void;
	/** Undefined in a headless run. */
	interactive?: InteractiveExtension;
}

/** The functions of the extension that exist only if the session has a user. */
export interface InteractiveExtension {
	session: ResumeSession;
	/** Handles the key that shows or hides the card. */
	toggleCard(): Promise<void>;
	/** Returns this extension's section of `/recap doctor`. */
	doctor(): Promise<DoctorSection>;
	complete(name: CommandName, prefix: string): Promise<Completion[] | null>;
	/** Continues in this session, which a command has opened. */
	goOn(continuation: Continuation): Promise<void>;
	/** See `Screen`. */
	keepTyped(text: string, filled: string): void;
}

/** The objects that commands need in one session of the host. */
export interface ResumeContext {
	agentDir: string;
	keys: ShortcutKeys;
	pi: Pick<ExtensionAPI, "setModel" | "sendUserMessage">;
	ctx: Pick<ExtensionContext, "ui" | "cwd" | "model" | "modelRegistry" | "isIdle">;
	host: HostSession;
	screen: Screen;
	session: ResumeSession;
	recordRequest: RecordRequest;
	settings: Settings;
	log: DebugLog;
}

/** The context of a resume command, extended by the methods that the host offers only to typed commands. */
export interface CommandContext extends ResumeContext {
	commandCtx: Pick<
		ExtensionCommandContext,
		"fork" | "newSession" | "switchSession" | "isIdle" | "abort" | "waitForIdle"
	>;
}
