// Runs the demo: the real host with this package, a scripted model on loopback and sample sessions. The user's own files are not touched.
import { demoInTerminal } from "./in-terminal.ts";
import { demoWithoutTerminal } from "./self-driven.ts";

const interactive = process.stdin.isTTY && process.stdout.isTTY;
process.exitCode = await (interactive ? demoInTerminal() : demoWithoutTerminal());
