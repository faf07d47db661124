type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** The form of a noun for a number, by the language's own rules; made on first use. */
export function plurals(locale: string): (count: number, forms: Forms) => string {
	let rules: Intl.PluralRules | undefined;
	return (count, forms) => {
		rules ??= new Intl.PluralRules(locale);
		return forms[rules.select(count)] ?? forms.other;
	};
}
