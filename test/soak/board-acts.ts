import type { Key } from "../host/keys.ts";
import { type Action, action, type Hand, submit } from "./actions.ts";
import { typedName } from "./names.ts";
import { anyOf } from "./random.ts";
import { boardAt } from "./screen-watch.ts";

/** Keys of the board that open nothing. */
const AT_ONCE: readonly Key[] = ["ctrl+s", "ctrl+s", "ctrl+x", "ctrl+x", "ctrl+l", "ctrl+l", "ctrl+p", "tab"];

/** Milliseconds until the board is open; a busy host may need long, and a frozen one never opens it. */
const OPEN_MS = 12_000;

/** Actions on the board. */
export const BOARD_ACTS: readonly Action[] = [
	onBoard("open or leave", 5, async (hand) => {
		await pressed(hand, anyOf(hand.random, ["enter", "escape", "escape"]));
		if (hand.random() < 0.5) await pressed(hand, "enter");
	}),
	onBoard("sort, archive and pin", 4, async (hand) => {
		for (let acts = 0; acts < 4; acts++) {
			await pressed(hand, anyOf(hand.random, AT_ONCE));
			if (hand.random() < 0.4) await pressed(hand, "down");
		}
	}),
	onBoard("delete", 2, async (hand) => {
		await pressed(hand, "ctrl+d");
		// The first answer moves the session to the trash.
		await pressed(hand, anyOf(hand.random, ["enter", "escape"]));
	}),
	onBoard("rename", 3, async (hand) => {
		await pressed(hand, "ctrl+r");
		hand.tab.host.key("ctrl+u");
		hand.tab.host.submit(typedName());
		await hand.tab.painted();
	}),
	onBoard("fork", 1, async (hand) => {
		await pressed(hand, "ctrl+o");
		await pressed(hand, anyOf(hand.random, ["enter", "escape"]));
	}),
	onBoard("search", 1, async (hand) => {
		hand.tab.host.type("deploy");
		await pressed(hand, "ctrl+g");
	}),
];

/** Opens the board, moves the cursor, and acts. */
function onBoard(name: string, weight: number, act: (hand: Hand) => Promise<void>): Action {
	return action(`/sessions: ${name}`, weight, async (hand) => {
		const { tab, random } = hand;
		if (random() < 0.2) {
			await tab.toEditor();
			await pressed(hand, "alt+s");
		} else await submit(hand, anyOf(random, ["/sessions", "/sessions --all"]));
		await tab.shows(() => isOpen(hand), OPEN_MS);
		for (let move = random() * 6; move > 1; move--) await pressed(hand, "down");
		// In the editor, the same keys quit the host or open another program.
		if (isOpen(hand)) await act(hand);
	});
}

function isOpen({ tab }: Hand): boolean {
	return boardAt(tab.host.screen.rows()) >= 0;
}

async function pressed({ tab }: Hand, key: Key): Promise<void> {
	tab.host.key(key);
	await tab.painted(400);
}
