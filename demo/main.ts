// The demo: the real host and this package with a scripted model on loopback and sample sessions. The user's files are not touched.
import { demoInTerminal } from "./in-terminal.ts";
import { demoWithoutTerminal } from "./self-driven.ts";

const interactive = process.stdin.isTTY && process.stdout.isTTY;
process.exitCode = await (interactive ? demoInTerminal() : demoWithoutTerminal());
