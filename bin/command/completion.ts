import type { Command } from "commander";
import { Offers, titleOf } from "../../session-core/sessions/index.ts";
import { listed } from "../sessions/index.ts";
import { DONE, SESSION, type World } from "../shell/world.ts";

/**
 * The shell completion scripts call this hidden command, so that they need no lists of commands and
 * options.
 */
const OFFERED = "pi-sessions offers --";

/** The bash and zsh scripts offer options only after the user has typed a dash. */
const SCRIPTS: Readonly<Record<string, string>> = {
	bash: `# Completion of pi-sessions for bash. See docs/shell.md for the setup.
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
# Completion of pi-sessions for zsh. Load it after compinit. See docs/shell.md for the setup.
_pi_sessions() {
	local -a offers
	local line value about
	while IFS= read -r line; do
		if [[ $line == -* && $PREFIX != -* ]]; then continue; fi
		value=\${line%%$'\\t'*}
		value=\${value//\\\\/\\\\\\\\}
		about=\${line#*$'\\t'}
		offers+=("\${value//:/\\\\:}\${about:+:$about}")
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

export async function completion(_: object, world: World, shell: string): Promise<number> {
	world.out.write(SCRIPTS[shell] ?? "");
	return DONE;
}

export async function offersOf(typed: readonly string[], world: World, program: Command): Promise<number> {
	for (const offer of await offersAfter(typed, world, program)) world.print(offer.join("\t"));
	return DONE;
}

async function offersAfter(typed: readonly string[], world: World, program: Command): Promise<Offered> {
	const [name, ...given] = typed;
	const commands = program.createHelp().visibleCommands(program);
	if (name === undefined) return commands.map((command) => [command.name(), command.summary()]);
	const { options = [], registeredArguments = [] } = commands.find((one) => one.name() === name) ?? {};
	const last = options.find(({ long }) => long === given.at(-1));
	if (last?.required) return (last.argChoices ?? []).map((choice) => [choice, ""]);
	const flags = options.map(({ long, description }) => [long ?? "", description] as const);
	const [argument] = registeredArguments;
	const values = (argument?.argChoices ?? []).map((choice) => [choice, ""] as const);
	return [...flags, ...values, ...(argument?.name() === SESSION ? await titles(world) : [])];
}

/** If several sessions share a title, shell completion offers their ids instead of the title. */
async function titles(world: World): Promise<Offered> {
	const here = await listed(world);
	const { rows } = here.rows.length > 0 ? here : await listed(world, { all: true });
	const offers = new Offers(rows.filter(({ kind }) => kind !== "child"));
	return offers.matching("").map((offer) => {
		const value = offers.valueOf(offer);
		const about = world.line(titleOf(offer.row), 60);
		return [value, value === about ? offers.shortId(offer.row.id) : about];
	});
}
