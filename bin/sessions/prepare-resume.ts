import { isOwnJob, type Sending } from "../../session-core/recap/index.ts";
import {
	type AddRecordDeps,
	couldBePlanted,
	describeSession,
	explainObstacle,
	isRepairable,
	type Lease,
	type LeaseOf,
	type Obstacle,
	obstacleToOpening,
	planResume,
	quotesTool,
	type ResumeOptions,
	type ResumePlan,
	resumeMode,
	type SendFacts,
	type SendWish,
	type SessionSummary,
	STATE_LOOKS,
	sendingOf,
	whyNotSent,
} from "../../session-core/sessions/index.ts";
import { cleanLine, clipColumns, isFolder, shownWord } from "../../session-core/text/index.ts";
import { outputOf } from "../shell/programs.ts";

export interface ResumeWish extends SendWish, Pick<ResumeOptions, "recap" | "branch" | "copy" | "inPi"> {
	/** The id of the entry at which the session is forked. */
	at?: string | undefined;
	/** If true, a repaired copy is opened instead of the damaged session file. */
	repair?: boolean | undefined;
	anyway?: boolean | undefined;
	/** If false, the command that resumes the session is only shown, and no program is started. */
	starts: boolean;
}

export interface ResumeFacts extends SendFacts, Pick<ResumeOptions, "program" | "env" | "hasFolder"> {
	isOwnJob: boolean;
	/**
	 * The lease of another process that has the session open. Undefined if the user chose a fork, a copy
	 * or `--anyway`.
	 */
	lease: Lease | undefined;
	obstacle: Obstacle | { reason: "session_gone"; detail: string } | undefined;
}

interface ResumeDeps extends Pick<AddRecordDeps, "agentDir" | "now" | "words" | "log"> {
	program: string;
	cwd: string | undefined;
	env: Readonly<Record<string, string | undefined>>;
	leaseOf: LeaseOf;
}

export async function resumeFacts(
	session: SessionSummary,
	wish: ResumeWish,
	deps: ResumeDeps,
): Promise<ResumeFacts> {
	const { agentDir, env, leaseOf, log, program } = deps;
	const { path, cwd, format } = session;
	const isCopied = wish.at !== undefined || wish.repair;
	const lease = wish.branch || isCopied || wish.anyway || wish.inPi ? undefined : leaseOf(session);
	const isPlanted = couldBePlanted(session, deps);
	const unread = { recap: undefined, wholeRequest: undefined, isPlanted, isQuoted: false };
	const known = { ...unread, program, env, hasFolder: isFolder(cwd), lease };
	if (!format.canOpen) return { ...known, obstacle: undefined, isOwnJob: true };
	const card = await describeSession(session, deps);
	if (!card.ok) log("resume.context_failed", { session: session.id, reason: card.reason });
	// When a session is resumed from an earlier entry, the recap is used only for a job.
	const isUsed = card.ok && (wish.at === undefined || card.record?.kind === "job");
	const recap = wish.recap ?? (isUsed ? card.record : undefined);
	const isShown = isUsed && recap?.id === card.record?.id;
	const { branch, kind, model } = resumeMode(session, { ...wish, recap });
	// While another process is writing a session file, an incomplete last line is not a sign of damage.
	const isUnchecked = lease || wish.at !== undefined;
	const opening = { version: () => programVersion(program, env), writes: branch ? "copy" : "file" } as const;
	const file = isUnchecked ? undefined : await obstacleToOpening(path, opening);
	const isGone = !card.ok && !file && !isCopied && wish.recap === undefined;
	const obstacle = isGone ? { reason: "session_gone" as const, detail: card.detail } : file;
	const isOwn = kind !== "job" || !wish.starts;
	return {
		...known,
		recap,
		wholeRequest: isShown ? card.wholeRequest : undefined,
		obstacle,
		isQuoted: await quotesTool(session, wish, recap),
		isOwnJob: isOwn || (await isOwnJob(agentDir, recap, { cwd, sessionFile: path, ...(model && { model }) })),
	};
}

/**
 * Returns an empty string if pi does not print its version, because pi reports its own problems when it
 * starts.
 */
export async function programVersion(program: string, env: ResumeDeps["env"]): Promise<string> {
	const asked = await outputOf([program, "--version"], { env, timeout: 10_000 });
	return asked.ok ? cleanLine(asked.output) : "";
}

export interface ResumeRefused {
	ok: false;
	reason: ResumeRefusal;
	message: string;
	remedy: { shell: string; http: string };
}

export type PreparedResume =
	| ResumeRefused
	| {
			ok: true;
			plan: ResumePlan;
			/** The reason why the resume command must not be run yet. The command may still be shown. */
			held: ResumeRefused | undefined;
			/** The reason why the session is opened without sending the user's text. */
			unsent: ResumeRefused | undefined;
	  };

interface About {
	session: SessionSummary;
	facts: ResumeFacts;
	wish: ResumeWish;
	sending?: Sending;
	plan?: ResumePlan;
}

/** Decides whether and how a session is resumed, both in the shell and over HTTP. */
export function prepareResume(session: SessionSummary, facts: ResumeFacts, wish: ResumeWish): PreparedResume {
	const about = { session, facts, wish };
	const problem = session.format.canOpen ? problemWithFile(about) : problemElsewhere(about);
	if (problem) return refusal(problem, about);
	const sending = sendingOf(session, wish, facts);
	const unsent = sending.ok ? undefined : UNSENT_REASONS[sending.reason];
	const isNothing = wish.send && unsent === "no_next_step";
	if (unsent && (isNothing || wish.message !== undefined)) return refusal(unsent, about);
	const plan = planResume(session, { ...wish, ...facts, sending });
	const held = whyHeld(plan, unsent, facts);
	const explained = { ...about, sending, plan };
	return {
		ok: true,
		plan,
		held: held && refusal(held, explained),
		unsent: wish.send && unsent && !held ? refusal(unsent, explained) : undefined,
	};
}

const UNSENT_REASONS = {
	nothing: "no_next_step",
	too_long: "too_long",
	planted: "planted",
	needs_answer: "needs_answer",
	quoted: "needs_answer",
} as const satisfies Record<Extract<Sending, { ok: false }>["reason"], ResumeRefusal>;

const OWN = ["at", "branch", "send", "message", "repair"] as const;

function problemElsewhere({ session, facts, wish }: About): ResumeRefusal | undefined {
	if (OWN.some((option) => wish[option] !== undefined)) return "not_ours";
	if (wish.inPi) return undefined;
	if (session.kind === "child") return "subagent";
	// An older session file can be resumed unless a newer file with the same session id exists.
	if (session.newerFile?.includes(session.id)) return "older_part";
	return facts.hasFolder ? undefined : "no_folder";
}

function problemWithFile({ facts: { obstacle }, wish }: About): ResumeRefusal | undefined {
	if (wish.inPi) return "already_pi";
	if (!obstacle) return wish.repair && wish.at === undefined ? "not_damaged" : undefined;
	if (isRepairable(obstacle)) return wish.repair ? undefined : obstacle.reason;
	const { reason } = obstacle;
	return reason === "too_large" || reason === "read_only" || reason === "unwritable"
		? reason
		: "session_gone";
}

/** A headless run has no terminal, so the run cannot wait for an answer from the user. */
function whyHeld(
	{ kind }: ResumePlan,
	unsent: ResumeRefusal | undefined,
	{ hasFolder, isOwnJob: isOwn, lease }: ResumeFacts,
): ResumeRefusal | undefined {
	if (lease) return "live";
	const isJob = kind === "job";
	if (unsent === "planted" || (isJob && unsent)) return unsent;
	if (isJob && !hasFolder) return "no_folder";
	return isOwn ? undefined : "unconfirmed";
}

export type ResumeRefusal = keyof typeof REFUSALS;

function refusal(reason: ResumeRefusal, about: About): ResumeRefused {
	const [message, shell, http = shell] = REFUSALS[reason](about);
	return { ok: false, reason, message, remedy: { shell, http } };
}

type Words = readonly [message: string, shell: string, http?: string];

function fileText({ facts: { obstacle } }: About): string {
	return obstacle && obstacle.reason !== "session_gone" ? explainObstacle(obstacle) : "";
}

const inShell = ({ session }: About, option: string) =>
	`Run pi-sessions resume ${shownWord(session.id)} ${option}.`;
const repairable = (about: About): Words => [
	fileText(about),
	"Use --repair to open a repaired copy.",
	inShell(about, "--repair, or open the session with /sessions in pi"),
];
const tryInPi = (message: string, about: About): Words => [
	message,
	"Use --in-pi to continue in a new pi session.",
	inShell(about, "--in-pi"),
];

const OWN_INSTRUCTION = [
	'Use --message "…" to send your own instruction.',
	'Send your own instruction as "message".',
] as const;

const REFUSALS = {
	already_pi: () => ["This is already a pi session.", "Run the command without --in-pi."],
	damaged: repairable,
	live: ({ session: { format, id }, facts: { lease } }) => {
		const where = lease && `(pid ${lease.pid}, ${STATE_LOOKS[lease.state].words})`;
		return format.canOpen
			? [
					`This session is open in another pi process ${where}. Opening a session twice would corrupt its history.`,
					`Run pi-sessions attach ${id} to switch to the process that has the session open. Use --branch to continue in a fork, or --anyway to open the session regardless.`,
					'Continue in the process that has the session open, or send "branch_on_resume": true to continue in a fork.',
				]
			: [
					`This session is open in another ${format.mark} process ${where}.`,
					"Continue in the process that has the session open, use --anyway to open the session regardless, or use --in-pi to continue in a new pi session.",
					"Continue the session in the process that has it open.",
				];
	},
	needs_answer: ({ sending, plan }) => {
		const step = clipColumns(cleanLine(plan?.needs_answer ?? ""), 200);
		const why =
			sending?.ok === false && sending.reason === "quoted"
				? "the agent quoted this step from a tool's output"
				: whyNotSent(plan?.needs_answer_kind ?? "question");
		return [
			`Nothing was sent, because ${why}: "${step}"`,
			'Use --message "…" to send your answer.',
			'Send your answer or your own next step as "message".',
		];
	},
	no_folder: (about) => {
		const { cwd, format } = about.session;
		const folder = cleanLine(cwd) || "unknown";
		return format.canOpen
			? [`This job can run only in its own folder, ${folder}, which does not exist.`, ""]
			: tryInPi(
					`This session's folder no longer exists (${folder}), and ${format.mark} can resume the session only in that folder.`,
					about,
				);
	},
	no_next_step: ({ plan }) =>
		plan?.kind === "job"
			? ["This job was not started, because it has no next step.", ...OWN_INSTRUCTION]
			: [
					"This session has no next step to send.",
					'Use --message "…" to send your own text, or leave out --send to open the session.',
					'Send your own text as "message", or leave out "send".',
				],
	not_damaged: () => ["This session's file is not damaged.", "Run the command without --repair."],
	not_ours: (about) => {
		const { session, wish } = about;
		const option = OWN.find((name) => wish[name] !== undefined);
		const message = `The option "${option}" works only with pi sessions, but this is a ${session.format.mark} session.`;
		return tryInPi(message, about);
	},
	older_part: (about) => {
		const { format, newerFile = "" } = about.session;
		const message = `This file contains an older part of the session. ${format.mark} resumes only the newest part, which is in ${cleanLine(newerFile)}.`;
		return tryInPi(message, about);
	},
	planted: ({ plan }) =>
		plan?.kind === "job"
			? [
					"This job was not started, because its session file may come from someone else's repository.",
					...OWN_INSTRUCTION,
				]
			: [
					"The next step was not sent, because this session's file may come from someone else's repository.",
					"The command below opens the session without sending anything.",
					`Omit the "send" field from the request, or run ${plan?.command_line}`,
				],
	read_only: (about) => [
		fileText(about),
		"Use --branch to continue in a fork.",
		'Send "branch_on_resume": true to continue in a fork.',
	],
	session_gone: ({ facts: { obstacle } }) => {
		const detail = clipColumns(cleanLine(obstacle?.detail ?? ""), 200);
		return [`The session cannot be read (${detail}).`, "", "Reload the list with GET /v1/sessions."];
	},
	subagent: (about) =>
		tryInPi(`This is a subagent's session, which ${about.session.format.mark} cannot resume.`, about),
	titled: repairable,
	too_large: (about) => [fileText(about), "", "Update pi, then send the request again."],
	too_long: ({ plan, wish }) => {
		if (wish.message !== undefined)
			return ["This message is too long for a command line.", "Send a shorter message."];
		return plan?.kind === "job"
			? ["This job was not started, because its prompt is too long for a command line.", ...OWN_INSTRUCTION]
			: [
					"This prompt is too long for a command line, so pi puts it into the editor instead of sending it.",
					"",
				];
	},
	unwritable: (about) => [fileText(about), "Check the folder's permissions and the free space on the disk."],
	unconfirmed: () => [
		"This job was recorded on another machine, or its record has been changed.",
		"Check the job's settings above, then use --yes to start the job.",
		'Send the request without "open", check the instruction, folder, model and tools, and send its "command_line" as "confirmed".',
	],
} as const satisfies Record<string, (about: About) => Words>;
