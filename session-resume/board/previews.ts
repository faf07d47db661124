import { type ExtensionContext, loadSettings } from "../../session-core/pi/index.ts";
import { cardWords } from "../../session-core/recap/index.ts";
import {
	type Description,
	describeSession,
	type PreviewFacts,
	readPreviewFacts,
	type SessionView,
} from "../../session-core/sessions/index.ts";

/** What has been read from one version of a session's file. */
export interface Preview {
	stamp: string;
	/** Derived from the end of the file; undefined if there is nothing to describe. */
	described: Description | undefined;
	facts?: PreviewFacts;
}

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
			const live = row.state === "closed" ? undefined : row.state;
			// The description is not stored, so its creation time is irrelevant.
			const described = await describeSession(row, { now: () => 0, words }, live);
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
	#followed = "";
	#timer: NodeJS.Timeout | undefined;
	#over = new AbortController();

	constructor(ports: PreviewPorts, changed: () => void) {
		this.#ports = ports;
		this.#changed = changed;
	}

	of({ path, stamp }: SessionView): Preview | undefined {
		const preview = this.#read.get(path);
		return preview?.stamp === stamp ? preview : undefined;
	}

	follow(row: SessionView | undefined): void {
		if (!row || `${row.path} ${row.stamp}` === this.#followed) return;
		this.end();
		this.#followed = `${row.path} ${row.stamp}`;
		this.#over = new AbortController();
		const { signal } = this.#over;
		this.#timer = setTimeout(() => void this.#readOf(row, signal), PREVIEW_MS).unref();
	}

	end(): void {
		clearTimeout(this.#timer);
		this.#over.abort();
	}

	/** Reads the end of the file first, for the card, and then the whole file. An unreadable file is not tried again. */
	async #readOf(row: SessionView, signal: AbortSignal): Promise<void> {
		const { path, stamp } = row;
		const keep = (read: Preview) => {
			this.#read.set(path, read);
			this.#changed();
			return read;
		};
		const read =
			this.of(row) ?? keep({ stamp, described: await this.#ports.card(row).catch(() => undefined) });
		if (signal.aborted || read.facts) return;
		const facts = await this.#ports.previewFacts(row, signal).catch(() => undefined);
		if (facts && !signal.aborted) keep({ ...read, facts });
	}
}
