import type { ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import { lazily } from "../lazily.ts";
import type { Books, BooksOptions } from "./books.ts";

interface OwnBooks extends Pick<BooksOptions, "agentDir" | "session" | "feature" | "limit" | "log"> {
	/** Where it is said that calls cannot be counted. */
	ui: Pick<ExtensionUIContext, "notify">;
}

/** The books of an extension in a session, loaded and opened when a call is first wanted: most sessions begin with none. */
export function booksOnDemand({ ui, ...own }: OwnBooks): () => Promise<Books> {
	let books: Books | undefined;
	return async () => {
		const { createBooks } = await lazily(() => import("./books.ts"));
		const { uncountedNotice } = await lazily(() => import("./uncounted-notice.ts"));
		books ??= createBooks({ ...own, now: Date.now, uncounted: uncountedNotice(ui) });
		return books;
	};
}
