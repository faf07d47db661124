import { shareIn, tellingTerms, termsOf } from "./terms.ts";

/** What is done with work, whatever it is. */
const HANDLING = termsOf(
	`commit commits push merge pull checkout branch branches main master dev rebase tag release publish review reviewed approve
	everything all locally latest updates changes 커밋 푸시 머지 병합 리뷰 검증 승인 올려 올리고 서브에이전트 提交 推送 合并 subir fusionar`,
);
/** The same, and what is done to see it run. */
const OPERATING = new Set([
	...HANDLING,
	...termsOf(
		"build rebuild deploy redeploy restart run rerun install reinstall start stop test 빌드 배포 재시작 설치 실행 构建 部署 重启 安装 运行 compila despliega reinicia instala",
	),
]);

/** Whether a clause only says how work is to be handed over ("commit and push everything to the PR"). */
export function isHandling(text: string): boolean {
	const terms = tellingTerms(text);
	return terms.size > 0 && shareIn(terms, HANDLING) >= 0.6;
}

/** Whether a request only has work carried on that was asked for before: handed over, built, started. */
export function isOperating(text: string): boolean {
	const terms = tellingTerms(text);
	return terms.size > 0 && shareIn(terms, OPERATING) >= 0.5;
}
