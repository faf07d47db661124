import type { Language } from "../text/index.ts";
import { chooseLanguage, type LanguageCode } from "./locale.ts";

/**
 * The labels on recaps and cards appear next to quotations from the session, so the labels are in the
 * session's language.
 */

/** Returns the plural ending in English, French, Spanish or Portuguese. */
const s = (count: number): string => (count === 1 ? "" : "s");

/**
 * Every translation must have the same keys as the English words, so a missing translation is a type
 * error.
 */
export const ENGLISH = {
	language: "en" as LanguageCode,
	recap: {
		larger: "Larger work: ",
		earlier: "You asked earlier: ",
		asked: "You asked last: ",
		did: "Did: ",
		step: "Last step: ",
		said: "Said: ",
		report: "Said earlier: ",
		open: "Open: ",
		error: "Error: ",
		cutShort: "Interrupted request: ",
		/**
		 * `names` is a comma-separated list of files, and `more` is the number of files that are not
		 * named.
		 */
		edited: (names: string, more: number) => `edited ${names}${more > 0 ? ` and ${more} more` : ""}`,
		thenEdited: (name: string) => `then edited ${name}`,
		committed: (commit: string) => `committed ${commit}`,
		before: (work: string) => `earlier: ${work}`,
	},
	outcome: {
		waiting: "Waiting for your answer",
		aborted: "Aborted",
		error: "Failed",
		running: "Interrupted during a run",
		elsewhere: "Continued in another terminal",
		failed: (reason: string) => `Failed: ${reason}`,
	},
	repository: (changes: string) => `repository: ${changes}`,
	onBranch: (now: string, was: string) => `on ${now}, was ${was}`,
	commitsSince: (commits: number) => `${commits} commit${s(commits)} since`,
	headMoved: (from: string, to: string) => `HEAD moved from ${from} to ${to}`,
	uncommitted: (files: number) => `${files} uncommitted file${s(files)}`,
};

export type CardWords = typeof ENGLISH;

const TABLES: Readonly<Record<LanguageCode, CardWords>> = {
	en: ENGLISH,
	zh: {
		language: "zh",
		recap: {
			larger: "总体任务：",
			earlier: "此前的要求：",
			asked: "最近的要求：",
			did: "已做：",
			step: "最后一步：",
			said: "回复：",
			report: "此前说：",
			open: "待定：",
			error: "错误：",
			cutShort: "中断的要求：",
			edited: (names, more) => (more > 0 ? `编辑了 ${names} 及另外 ${more} 个文件` : `编辑了 ${names}`),
			thenEdited: (name) => `之后编辑了 ${name}`,
			committed: (commit) => `提交了 ${commit}`,
			before: (work) => `此前：${work}`,
		},
		outcome: {
			waiting: "等待你的回答",
			aborted: "已中止",
			error: "失败",
			running: "运行中被中断",
			elsewhere: "已在另一个终端中继续",
			failed: (reason) => `失败：${reason}`,
		},
		repository: (changes) => `仓库：${changes}`,
		onBranch: (now, was) => `当前分支 ${now}，此前为 ${was}`,
		commitsSince: (commits) => `此后有 ${commits} 次提交`,
		headMoved: (from, to) => `HEAD 从 ${from} 移到 ${to}`,
		uncommitted: (files) => `${files} 个文件未提交`,
	},
	ja: {
		language: "ja",
		recap: {
			larger: "全体の作業：",
			earlier: "以前の依頼：",
			asked: "最新の依頼：",
			did: "実施：",
			step: "最後の操作：",
			said: "返答：",
			report: "以前の返答：",
			open: "未決：",
			error: "エラー：",
			cutShort: "中断した依頼：",
			edited: (names, more) => (more > 0 ? `${names} ほか ${more} 件を編集` : `${names} を編集`),
			thenEdited: (name) => `その後 ${name} を編集`,
			committed: (commit) => `コミット ${commit}`,
			before: (work) => `以前：${work}`,
		},
		outcome: {
			waiting: "あなたの回答待ち",
			aborted: "中止",
			error: "失敗",
			running: "実行の途中で中断",
			elsewhere: "別の端末で続行",
			failed: (reason) => `失敗：${reason}`,
		},
		repository: (changes) => `リポジトリ：${changes}`,
		onBranch: (now, was) => `現在 ${now}、以前は ${was}`,
		commitsSince: (commits) => `その後 ${commits} コミット`,
		headMoved: (from, to) => `HEAD が ${from} から ${to} へ移動`,
		uncommitted: (files) => `未コミット ${files} ファイル`,
	},
	ko: {
		language: "ko",
		recap: {
			larger: "전체 작업: ",
			earlier: "이전 요청: ",
			asked: "마지막 요청: ",
			did: "한 일: ",
			step: "마지막 단계: ",
			said: "답변: ",
			report: "이전 답변: ",
			open: "미결: ",
			error: "오류: ",
			cutShort: "중단된 요청: ",
			edited: (names, more) => (more > 0 ? `${names} 외 ${more}개 편집` : `${names} 편집`),
			thenEdited: (name) => `이후 ${name} 편집`,
			committed: (commit) => `커밋 ${commit}`,
			before: (work) => `이전: ${work}`,
		},
		outcome: {
			waiting: "답변 대기 중",
			aborted: "중단됨",
			error: "실패",
			running: "실행 중 중단됨",
			elsewhere: "다른 터미널에서 이어서 진행",
			failed: (reason) => `실패: ${reason}`,
		},
		repository: (changes) => `저장소: ${changes}`,
		onBranch: (now, was) => `지금 ${now}, 이전 ${was}`,
		commitsSince: (commits) => `이후 커밋 ${commits}개`,
		headMoved: (from, to) => `HEAD 이동 ${from} → ${to}`,
		uncommitted: (files) => `커밋되지 않은 파일 ${files}개`,
	},
	de: {
		language: "de",
		recap: {
			larger: "Größere Aufgabe: ",
			earlier: "Frühere Anfrage: ",
			asked: "Letzte Anfrage: ",
			did: "Getan: ",
			step: "Letzter Schritt: ",
			said: "Gesagt: ",
			report: "Davor gesagt: ",
			open: "Offen: ",
			error: "Fehler: ",
			cutShort: "Abgebrochene Anfrage: ",
			edited: (names, more) => `${names}${more > 0 ? ` und ${more} weitere` : ""} bearbeitet`,
			thenEdited: (name) => `danach ${name} bearbeitet`,
			committed: (commit) => `Commit ${commit}`,
			before: (work) => `früher: ${work}`,
		},
		outcome: {
			waiting: "Wartet auf deine Antwort",
			aborted: "Abgebrochen",
			error: "Fehlgeschlagen",
			running: "Während eines Laufs unterbrochen",
			elsewhere: "In einem anderen Terminal fortgesetzt",
			failed: (reason) => `Fehlgeschlagen: ${reason}`,
		},
		repository: (changes) => `Repository: ${changes}`,
		onBranch: (now, was) => `jetzt auf ${now}, zuvor ${was}`,
		commitsSince: (commits) => `${commits} Commit${commits === 1 ? "" : "s"} seitdem`,
		headMoved: (from, to) => `HEAD von ${from} nach ${to} verschoben`,
		uncommitted: (files) => `${files} ${files === 1 ? "Datei" : "Dateien"} nicht eingecheckt`,
	},
	fr: {
		language: "fr",
		recap: {
			larger: "Travail d'ensemble : ",
			earlier: "Demandé avant : ",
			asked: "Demandé en dernier : ",
			did: "Fait : ",
			step: "Dernière étape : ",
			said: "Dit : ",
			report: "Dit avant cela : ",
			open: "En suspens : ",
			error: "Erreur : ",
			cutShort: "Demande interrompue : ",
			edited: (names, more) => `modifié ${names}${more > 0 ? ` et ${more} autre${s(more)}` : ""}`,
			thenEdited: (name) => `puis modifié ${name}`,
			committed: (commit) => `commit ${commit}`,
			before: (work) => `avant : ${work}`,
		},
		outcome: {
			waiting: "Attend votre réponse",
			aborted: "Interrompu",
			error: "Échec",
			running: "Interrompu en cours d'exécution",
			elsewhere: "Poursuivi dans un autre terminal",
			failed: (reason) => `Échec : ${reason}`,
		},
		repository: (changes) => `dépôt : ${changes}`,
		onBranch: (now, was) => `sur ${now}, avant ${was}`,
		commitsSince: (commits) => `${commits} commit${s(commits)} depuis`,
		headMoved: (from, to) => `HEAD passé de ${from} à ${to}`,
		uncommitted: (files) => `${files} fichier${s(files)} sans commit`,
	},
	es: {
		language: "es",
		recap: {
			larger: "Trabajo general: ",
			earlier: "Pediste antes: ",
			asked: "Lo último que pediste: ",
			did: "Hecho: ",
			step: "Último paso: ",
			said: "Dijo: ",
			report: "Dicho antes: ",
			open: "Pendiente: ",
			error: "Error: ",
			cutShort: "Petición interrumpida: ",
			edited: (names, more) => `editó ${names}${more > 0 ? ` y ${more} más` : ""}`,
			thenEdited: (name) => `luego editó ${name}`,
			committed: (commit) => `commit ${commit}`,
			before: (work) => `antes: ${work}`,
		},
		outcome: {
			waiting: "Espera tu respuesta",
			aborted: "Cancelado",
			error: "Falló",
			running: "Interrumpido durante una ejecución",
			elsewhere: "Continúa en otra terminal",
			failed: (reason) => `Falló: ${reason}`,
		},
		repository: (changes) => `repositorio: ${changes}`,
		onBranch: (now, was) => `en ${now}, antes ${was}`,
		commitsSince: (commits) => `${commits} commit${s(commits)} desde entonces`,
		headMoved: (from, to) => `HEAD pasó de ${from} a ${to}`,
		uncommitted: (files) => `${files} archivo${s(files)} sin commit`,
	},
	pt: {
		language: "pt",
		recap: {
			larger: "Trabalho geral: ",
			earlier: "Você pediu antes: ",
			asked: "Último pedido: ",
			did: "Feito: ",
			step: "Último passo: ",
			said: "Disse: ",
			report: "Dito antes: ",
			open: "Em aberto: ",
			error: "Erro: ",
			cutShort: "Pedido interrompido: ",
			edited: (names, more) => `editou ${names}${more > 0 ? ` e mais ${more}` : ""}`,
			thenEdited: (name) => `depois editou ${name}`,
			committed: (commit) => `commit ${commit}`,
			before: (work) => `antes: ${work}`,
		},
		outcome: {
			waiting: "Espera a sua resposta",
			aborted: "Cancelado",
			error: "Falhou",
			running: "Interrompido durante uma execução",
			elsewhere: "Continua em outro terminal",
			failed: (reason) => `Falhou: ${reason}`,
		},
		repository: (changes) => `repositório: ${changes}`,
		onBranch: (now, was) => `em ${now}, antes ${was}`,
		commitsSince: (commits) => `${commits} commit${s(commits)} desde então`,
		headMoved: (from, to) => `HEAD passou de ${from} para ${to}`,
		uncommitted: (files) => `${files} arquivo${s(files)} sem commit`,
	},
	ru: {
		language: "ru",
		recap: {
			larger: "Общая задача: ",
			earlier: "Предыдущие запросы: ",
			asked: "Последний запрос: ",
			did: "Сделано: ",
			step: "Последний шаг: ",
			said: "Ответ: ",
			report: "Предыдущий ответ: ",
			open: "Открыто: ",
			error: "Ошибка: ",
			cutShort: "Прерванный запрос: ",
			edited: (names, more) => `правки в ${names}${more > 0 ? ` и ещё ${more}` : ""}`,
			thenEdited: (name) => `затем правки в ${name}`,
			committed: (commit) => `коммит ${commit}`,
			before: (work) => `ранее: ${work}`,
		},
		outcome: {
			waiting: "Ждёт вашего ответа",
			aborted: "Прервано",
			error: "Сбой",
			running: "Прервано во время выполнения",
			elsewhere: "Продолжено в другом терминале",
			failed: (reason) => `Сбой: ${reason}`,
		},
		repository: (changes) => `репозиторий: ${changes}`,
		onBranch: (now, was) => `ветка ${now}, была ${was}`,
		commitsSince: (commits) => `коммитов с тех пор: ${commits}`,
		headMoved: (from, to) => `HEAD сместился с ${from} на ${to}`,
		uncommitted: (files) => `файлов без коммита: ${files}`,
	},
};

export type WordsFor = (own: Language | undefined) => CardWords;

export function workingElsewhere(words: CardWords): CardWords {
	return { ...words, outcome: { ...words.outcome, running: words.outcome.elsewhere } };
}

/**
 * `setting` is the user's `language` setting. By default, the language of the session's prompts is used
 * or, if that language is unknown, the locale.
 */
export function cardWords(setting: string | undefined, env: NodeJS.ProcessEnv = process.env): WordsFor {
	return (own) => TABLES[chooseLanguage(setting, own, env)];
}
