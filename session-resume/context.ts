import type { ExtensionAPI, ExtensionCommandContext, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { ShortcutKeys } from "../session-core/command/shortcuts.ts";
import type { Settings } from "../session-core/settings/schema.ts";
import type { Screen } from "./card/screen.ts";
import type { HostSession } from "./host-session.ts";
import type { Permits } from "./live/permits.ts";
import type { RecordRequest } from "./record/record-request.ts";
import type { ResumeSession } from "./session.ts";

/** What commands work with, in one session of the host. */
export interface ResumeContext {
	agentDir: string;
	/** What the suite's keys are bound to. */
	keys: ShortcutKeys;
	/** Sessions that the user has agreed to open. */
	permits: Permits;
	pi: Pick<ExtensionAPI, "setModel" | "sendUserMessage">;
	ctx: Pick<ExtensionContext, "ui" | "model" | "modelRegistry" | "isIdle">;
	host: HostSession;
	screen: Screen;
	session: ResumeSession;
	recordRequest: RecordRequest;
	settings: Settings;
}

/** The same with what the host allows only a command that was typed. */
export interface CommandContext extends ResumeContext {
	commandCtx: Pick<
		ExtensionCommandContext,
		"fork" | "newSession" | "switchSession" | "isIdle" | "abort" | "waitForIdle"
	>;
}
