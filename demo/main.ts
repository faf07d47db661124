// The demo: the real host, this package, a scripted model on loopback, a sample session; nothing of the user's own.
import { demoInTerminal } from "./in-terminal.ts";
import { demoWithoutTerminal } from "./self-driven.ts";

const interactive = process.stdin.isTTY && process.stdout.isTTY;
process.exitCode = await (interactive ? demoInTerminal() : demoWithoutTerminal());
