import { Offers, titleOf } from "../../session-core/catalog/match.ts";
import { clipColumns } from "../../session-core/text/clip.ts";
import { allSessions, sessionsHere } from "../sessions/find.ts";
import { type Command, type CommandTable, SESSION_WORDS } from "../shell/command.ts";
import { DONE, NOT_FOUND, type World } from "../shell/world.ts";

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** `pi-sessions completion` */
export async function completion(
	shell: string,
	{ titles }: { titles?: boolean | undefined },
	world: World,
	commands: CommandTable,
): Promise<number> {
	if (titles) {
		for (const line of await titleLines(world)) world.out.write(`${line}\n`);
		return DONE;
	}
	const script = Object.entries(SHELLS).find(([name]) => name === shell)?.[1];
	if (!script) return world.fail("specify a shell: bash, zsh or fish.", NOT_FOUND);
	world.out.write(script(Object.entries(commands).map(offered)));
	return DONE;
}

/** Returns one line per session: its title if that is unique, otherwise its id, followed by a tab and a description. */
async function titleLines(world: World): Promise<string[]> {
	const here = await sessionsHere(world);
	const { rows } = here.rows.length > 0 ? here : await allSessions(world);
	const offers = new Offers(rows.filter(({ kind }) => kind !== "child"));
	return offers.matching("").map((offer) => {
		const value = offers.valueOf(offer);
		const about = clipColumns(titleOf(offer.row), 60);
		return `${value}\t${value === about ? offers.shortId(offer.row.id) : about}`;
	});
}

type Offered = ReturnType<typeof offered>;

/** Returns what the completion scripts need to know about a command. `takes` is the kind of argument that the command accepts. */
function offered([name, { summary, options, words }]: [string, Command]) {
	const other = words?.value === "bash|zsh|fish" ? "shell" : "nothing";
	return {
		name,
		description: summary,
		takes: words === SESSION_WORDS ? "session" : other,
		options: Object.entries(options)
			.filter(([, { isInternal }]) => !isInternal)
			.map(([option, { read, description, choices = [] }]) => {
				return { name: option, description, takesValue: read !== undefined, values: choices };
			}),
	};
}

const SHELL_NAMES = "bash zsh fish";

/** Returns the completion script for bash. Titles with spaces are quoted by bash itself (`printf %q`). */
function bashScript(commands: readonly Offered[]): string {
	const cases = commands.map(({ name, options, takes }) => {
		const words = options.map((option) => `--${option.name}`).join(" ");
		return `\t${name}) options="${words}"; takes=${takes} ;;`;
	});
	const values = commands.flatMap(({ options }) => options).filter((option) => option.values.length > 0);
	return `# pi-sessions completion for bash: eval "$(pi-sessions completion bash)"
_pi_sessions() {
	local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} options= takes=nothing line
	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")}" -- "$current"))
		return
	fi
	case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
	esac
	case "$previous" in
${values.map(({ name, values: some }) => `\t--${name}) COMPREPLY=($(compgen -W "${some.join(" ")}" -- "$current")); return ;;`).join("\n")}
	esac
	if [[ $current == -* ]]; then
		COMPREPLY=($(compgen -W "$options" -- "$current"))
	elif [ "$takes" = shell ]; then
		COMPREPLY=($(compgen -W "${SHELL_NAMES}" -- "$current"))
	elif [ "$takes" = session ]; then
		local typed=\${current#[\\"\\']}
		typed=\${typed//\\\\/}
		while IFS= read -r line; do
			line=\${line%%$'\\t'*}
			if [[ \${line,,} == "\${typed,,}"* ]]; then COMPREPLY+=("$(printf %q "$line")"); fi
		done < <(pi-sessions completion --titles 2>/dev/null)
	fi
}
complete -F _pi_sessions pi-sessions
`;
}

function zshScript(commands: readonly Offered[]): string {
	const names = commands.map(
		({ name, description }) => `\t\t${single(`${name}:${description.replaceAll(":", "\\:")}`)}`,
	);
	const cases = commands.map(({ name, options, takes }) => {
		const specs = options.map(({ name: option, description, takesValue, values }) => {
			const value = takesValue ? `:value:${values.length > 0 ? `(${values.join(" ")})` : ""}` : "";
			return single(`--${option}[${description.replace(/[\\[\]:]/g, "\\$&")}]${value}`);
		});
		const rest = takes === "session" ? ["'*:session:_pi_sessions_titles'"] : [];
		const shells = takes === "shell" ? [`'1:shell:(${SHELL_NAMES})'`] : [];
		return `\t${name}) _arguments ${[...specs, ...rest, ...shells].join(" ")} ;;`;
	});
	return `#compdef pi-sessions
# pi-sessions completion for zsh: eval "$(pi-sessions completion zsh)", behind compinit
_pi_sessions_titles() {
	local -a titles
	local line value
	while IFS= read -r line; do
		value=\${line%%$'\\t'*}
		value=\${value//\\\\/\\\\\\\\}
		titles+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
	done < <(pi-sessions completion --titles 2>/dev/null)
	_describe session titles
}
_pi_sessions() {
	local -a commands=(
${names.join("\n")}
	)
	if (( CURRENT == 2 )); then _describe command commands; return; fi
	local name=$words[2]
	shift words
	(( CURRENT-- ))
	case $name in
${cases.join("\n")}
	esac
}
compdef _pi_sessions pi-sessions
`;
}

function fishScript(commands: readonly Offered[]): string {
	const lines = commands.flatMap(({ name, description, options, takes }) => {
		const behind = `__fish_seen_subcommand_from ${name}`;
		const argument = {
			session: "(pi-sessions completion --titles 2>/dev/null)",
			shell: SHELL_NAMES,
			nothing: "",
		}[takes];
		return [
			`-n __fish_use_subcommand -a ${name} -d ${single(description)}`,
			...options.map(({ name: option, description: about, takesValue, values }) => {
				const value = takesValue ? ` -x${values.length > 0 ? ` -a ${single(values.join(" "))}` : ""}` : "";
				return `-n "${behind}" -l ${option}${value} -d ${single(about)}`;
			}),
			...(argument ? [`-n "${behind}" -a "${argument}"`] : []),
		].map((rest) => `complete -c pi-sessions -f ${rest}`);
	});
	return `# pi-sessions completion for fish: pi-sessions completion fish | source\n${lines.join("\n")}\n`;
}

function single(text: string): string {
	return `'${text.replaceAll("'", "'\\''")}'`;
}
