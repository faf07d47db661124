import type { IBufferCell } from "@xterm/headless";

/** One cell of the screen. A color is undefined if it is the terminal's default. */
export interface Cell {
	/** The grapheme; empty in the second half of a wide one. */
	text: string;
	width: number;
	foreground: number | undefined;
	background: number | undefined;
	bold: boolean;
	dim: boolean;
	italic: boolean;
	underline: boolean;
	inverse: boolean;
}

/** Converts the emulator's cell into plain data. */
export function readCell(cell: IBufferCell): Cell {
	return {
		text: cell.getChars(),
		width: cell.getWidth(),
		foreground: cell.isFgDefault() ? undefined : cell.getFgColor(),
		background: cell.isBgDefault() ? undefined : cell.getBgColor(),
		bold: cell.isBold() !== 0,
		dim: cell.isDim() !== 0,
		italic: cell.isItalic() !== 0,
		underline: cell.isUnderline() !== 0,
		inverse: cell.isInverse() !== 0,
	};
}
