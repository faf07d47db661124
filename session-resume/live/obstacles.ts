import { statSync } from "node:fs";
import { fileErrorText } from "../../session-core/log/append.ts";
import { checkSession, tooLargeText } from "../../session-core/log/check-session.ts";
import { VERSION } from "../../session-core/pi/host/index.ts";
import { writeObstacle } from "../../session-core/text/files/index.ts";

/** The host closes the current session first. If it then cannot open the other one, it exits without a reason. */
export async function obstacleToOpening(path: string): Promise<string | undefined> {
	const tooLarge = tooLargeText(statSync(path, { throwIfNoEntry: false })?.size ?? 0, VERSION);
	if (tooLarge !== undefined) return tooLarge;
	const check = await checkSession(path);
	if (check.ok && !check.sound)
		return "The file of this session is damaged, so pi could lose part of it. /sessions opens a repaired copy.";
	if (!check.ok && (check.reason === "unreadable" || check.reason === "not_regular"))
		return `Not opened: the file of this session cannot be read. ${fileErrorText(check.detail)}`;
	return obstacleToWriting(path);
}

/** To open or fork a session, the host appends to its file or creates another one in the same folder. */
export function obstacleToWriting(path: string): string | undefined {
	const detail = writeObstacle(path);
	return (
		detail &&
		`Not opened: nothing can be written in the folder of this session, so pi would exit. ${fileErrorText(detail)}`
	);
}
