import { type ExtensionContext, loadSettings } from "../../session-core/pi/index.ts";
import { cardWords } from "../../session-core/recap/index.ts";
import {
	type Description,
	describeSession,
	type PreviewFacts,
	readPreviewFacts,
	type SessionView,
} from "../../session-core/sessions/index.ts";

export interface Preview {
	stamp: string;
	/** `described` is undefined if the session has no content yet. */
	described: Description | undefined;
	facts?: PreviewFacts;
}

export interface PreviewPorts {
	/** Yields a preview of the end of the file first, because reading the whole file can take long. */
	preview(row: SessionView, signal: AbortSignal): AsyncIterable<Omit<Preview, "stamp">>;
}

export function previewPorts(
	agentDir: string,
	{ cwd, modelRegistry }: Pick<ExtensionContext, "cwd" | "modelRegistry">,
): PreviewPorts {
	const model = (provider: string, id: string) => modelRegistry.find(provider, id);
	return {
		async *preview(row, signal) {
			const words = cardWords(loadSettings({ agentDir, cwd }).settings.language);
			const live = row.state === "closed" ? undefined : row.state;
			const read = await describeSession(row, { now: () => 0, words }, live);
			const described = read.ok ? read : undefined;
			yield { described };
			yield { described, facts: await readPreviewFacts(row, { model, signal }) };
		},
	};
}

/** A session's file is read only after the cursor has rested on the session's row for this number of milliseconds. */
const PREVIEW_MS = 90;

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
		if (this.of(row)?.facts) return;
		// An unreadable file has no preview, so the error is ignored.
		const read = () => void this.#readOf(row, signal).catch(() => undefined);
		this.#timer = setTimeout(read, PREVIEW_MS).unref();
	}

	end(): void {
		clearTimeout(this.#timer);
		this.#over.abort();
	}

	async #readOf(row: SessionView, signal: AbortSignal): Promise<void> {
		const { path, stamp } = row;
		for await (const preview of this.#ports.preview(row, signal)) {
			if (signal.aborted) return;
			this.#read.set(path, { ...preview, stamp });
			this.#changed();
		}
	}
}
