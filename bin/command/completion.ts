import { Offers, titleOf } from "../../session-core/catalog/match.ts";
import { clipColumns } from "../../session-core/text/clip.ts";
import { allSessions, sessionsHere } from "../sessions/find.ts";
import { type CommandTable, SESSION_WORDS } from "../shell/command.ts";
import { DONE, NOT_FOUND, type World } from "../shell/world.ts";

/** The scripts ask this program what can follow the words before the cursor, so they know no command and no option themselves. */
const OFFERED = "pi-sessions completion offers --";

/** The scripts. Titles with spaces are quoted by bash itself (`printf %q`). Options are offered only after a dash. */
const SCRIPTS: Readonly<Record<string, string>> = {
	bash: `# pi-sessions completion for bash: eval "$(pi-sessions completion bash)"
_pi_sessions() {
	local typed=\${COMP_WORDS[COMP_CWORD]#[\\"\\']} line
	typed=\${typed//\\\\/}
	COMPREPLY=()
	while IFS= read -r line; do
		line=\${line%%$'\\t'*}
		if [[ $line == -* && $typed != -* ]]; then continue; fi
		if [[ \${line,,} == "\${typed,,}"* ]]; then COMPREPLY+=("$(printf %q "$line")"); fi
	done < <(${OFFERED} "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)
}
complete -F _pi_sessions pi-sessions
`,
	zsh: `#compdef pi-sessions
# pi-sessions completion for zsh: eval "$(pi-sessions completion zsh)", after compinit
_pi_sessions() {
	local -a offers
	local line value
	while IFS= read -r line; do
		if [[ $line == -* && $PREFIX != -* ]]; then continue; fi
		value=\${line%%$'\\t'*}
		value=\${value//\\\\/\\\\\\\\}
		offers+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
	done < <(${OFFERED} "\${(@)words[2,CURRENT-1]}" 2>/dev/null)
	_describe 'pi-sessions' offers
}
compdef _pi_sessions pi-sessions
`,
	fish: `# pi-sessions completion for fish: pi-sessions completion fish | source
complete -c pi-sessions -f -a "(${OFFERED} (commandline -opc)[2..] 2>/dev/null)"
`,
};

type Offered = readonly (readonly [value: string, description: string])[];

/** `pi-sessions completion` */
export async function completion(words: string, world: World, commands: CommandTable): Promise<number> {
	const [first, ...typed] = words.split(" ");
	if (first === "offers") {
		for (const offer of await offersAfter(typed, world, commands)) world.out.write(`${offer.join("\t")}\n`);
		return DONE;
	}
	const script = Object.hasOwn(SCRIPTS, words) ? SCRIPTS[words] : undefined;
	if (!script) return world.fail("specify a shell: bash, zsh or fish.", NOT_FOUND);
	world.out.write(script);
	return DONE;
}

/** Returns what can follow these words: commands, the options of a command and the values of an option, and titles of sessions. */
async function offersAfter(typed: string[], world: World, commands: CommandTable): Promise<Offered> {
	const [name, ...given] = typed;
	if (name === undefined) return Object.entries(commands).map(([command, { summary }]) => [command, summary]);
	if (!Object.hasOwn(commands, name)) return [];
	const { options = {}, words } = commands[name] ?? {};
	const last = given.at(-1) ?? "";
	const { choices = [], read } = options[last.replace(/^--/, "")] ?? {};
	if (last.startsWith("--") && read) return choices.map((choice) => [choice, ""]);
	const flags = Object.entries(options).map(
		([option, { description }]) => [`--${option}`, description] as const,
	);
	if (words === SESSION_WORDS) return [...flags, ...(await titles(world))];
	return name === "completion" ? Object.keys(SCRIPTS).map((shell) => [shell, ""]) : flags;
}

/** Returns each session's title if that is unique, otherwise its id, and a description. */
async function titles(world: World): Promise<Offered> {
	const here = await sessionsHere(world);
	const { rows } = here.rows.length > 0 ? here : await allSessions(world);
	const offers = new Offers(rows.filter(({ kind }) => kind !== "child"));
	return offers.matching("").map((offer) => {
		const value = offers.valueOf(offer);
		const about = clipColumns(titleOf(offer.row), 60);
		return [value, value === about ? offers.shortId(offer.row.id) : about];
	});
}
