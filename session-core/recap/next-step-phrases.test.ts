import { expect, test } from "vitest";
import { nextSteps } from "./next-step-phrases.ts";

test.each<[string, string[]]>([
	["Fixed.\n\nNext: fix the foreign key.", ["Fix the foreign key."]],
	[
		"**Next steps:**\n1. Run the migration\n2. Deploy to staging\n\nTell me how it goes.",
		["Run the migration", "Deploy to staging"],
	],
	["## Next steps\n\nThe remaining tasks are:\n- Run the migration", ["Run the migration"]],
	["## Next steps\n\n- Run the migration\n  - with a backup\n- Deploy", ["Run the migration"]],
	[
		"**Remaining from the refactor plan:**\n- Testing the new implementation\n- Replacing old code",
		["Testing the new implementation", "Replacing old code"],
	],
	["All good.\n\nRemaining: the docs and the changelog.", ["The docs and the changelog."]],
	["TODO: update the lock file.", ["Update the lock file."]],
	["- Done: parser\n- Still open: the printer", ["The printer"]],
	["下一步：补充单元测试。", ["补充单元测试。"]],
	["完了しました。\n\n次のステップ:\n- テストを追加する", ["テストを追加する"]],
	["다음 단계:\n- 회귀 테스트 추가", ["회귀 테스트 추가"]],
	["Fertig.\n\nNächste Schritte:\n- Tests ergänzen", ["Tests ergänzen"]],
	["Prochaines étapes :\n- ajouter les tests", ["Ajouter les tests"]],
	["Próximos pasos: añadir pruebas de regresión.", ["Añadir pruebas de regresión."]],
	["Próximos passos:\n- adicionar testes", ["Adicionar testes"]],
	["Следующие шаги:\n- добавить тесты", ["Добавить тесты"]],
])("%j labels what comes next", (reply, steps) => expect(nextSteps(reply)).toEqual(steps));

test.each([
	"Next.js 15 renders the page on the server.",
	"Next, I updated the parser. Then I ran the tests.",
	"Remaining: none.",
	"The next request reads the cache.",
	"Steps to reproduce:\n1. Open the page\n2. Click",
	"There is nothing left.",
	"I fixed the pending migration: it was locked.",
])("%j labels nothing", (reply) => expect(nextSteps(reply)).toEqual([]));
