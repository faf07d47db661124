import { type ExtensionContext, loadSettings } from "../../session-core/pi/index.ts";
import { cardWords } from "../../session-core/recap/index.ts";
import {
	type Description,
	describeSession,
	type PreviewFacts,
	readPreviewFacts,
	type SessionView,
} from "../../session-core/sessions/index.ts";
import type { Preview } from "./list.ts";

export interface PreviewPorts {
	card(row: SessionView): Promise<Description | undefined>;
	/** Reads the complete file. The signal aborts when the cursor leaves the row. */
	previewFacts(row: SessionView, signal: AbortSignal): Promise<PreviewFacts>;
}

export function previewPorts(
	agentDir: string,
	{ cwd, modelRegistry }: Pick<ExtensionContext, "cwd" | "modelRegistry">,
): PreviewPorts {
	const model = (provider: string, id: string) => modelRegistry.find(provider, id);
	return {
		async card(row) {
			const words = cardWords(loadSettings({ agentDir, cwd }).settings.language);
			// The description is not stored, so its creation time is irrelevant.
			const live = row.state === "closed" ? undefined : row.state;
			const summary = { ...row, recap: row.newestRecord };
			const described = await describeSession(summary, { now: () => 0, words }, live);
			return described.ok ? described : undefined;
		},
		previewFacts: (row, signal) => readPreviewFacts(row, { model, signal }),
	};
}

/** Time in milliseconds that the cursor must rest on a row before the row's file is read for the preview. */
const PREVIEW_MS = 90;

/** Reads the preview of the session under the cursor, and keeps it as long as the file does not change. */
export class Previews {
	readonly #ports: PreviewPorts;
	readonly #changed: () => void;
	readonly #read = new Map<string, Preview>();
	#timer: NodeJS.Timeout | undefined;
	#current = { of: "", over: new AbortController() };

	constructor(ports: PreviewPorts, changed: () => void) {
		this.#ports = ports;
		this.#changed = changed;
	}

	of({ path, stamp }: SessionView): Preview | undefined {
		const preview = this.#read.get(path);
		return preview?.stamp === stamp ? preview : undefined;
	}

	follow(row: SessionView | undefined): void {
		if (!row || `${row.path} ${row.stamp}` === this.#current.of) return;
		this.end();
		this.#current = { of: `${row.path} ${row.stamp}`, over: new AbortController() };
		this.#timer = setTimeout(() => void this.#readOf(row), PREVIEW_MS).unref();
	}

	end(): void {
		clearTimeout(this.#timer);
		this.#current.over.abort();
	}

	/** Reads the end of the file first, for the card, and then the whole file. An unreadable file is not tried again. */
	async #readOf(row: SessionView): Promise<void> {
		const { signal } = this.#current.over;
		if (!this.of(row)?.card) {
			const described = await this.#ports.card(row).catch(() => undefined);
			this.#add(row, { card: { described } });
		}
		if (signal.aborted || this.of(row)?.facts) return;
		const facts = await this.#ports.previewFacts(row, signal).catch(() => undefined);
		if (facts && !signal.aborted) this.#add(row, { facts });
	}

	#add(row: SessionView, read: Omit<Preview, "stamp">): void {
		this.#read.set(row.path, { ...this.of(row), ...read, stamp: row.stamp });
		this.#changed();
	}
}
