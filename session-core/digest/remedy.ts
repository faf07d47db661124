/** What helps against errors that come again until something is changed. */
export function remedyFor(reason: string): string | undefined {
	if (
		/\bmodel\b.*\b(?:not (?:supported|found|available)|unsupported|does not exist|deprecated)/i.test(reason)
	) {
		return "Choose another model and resend the prompt";
	}
	if (/\b(?:401|403)\b|invalid.{0,10}api.?key|unauthori[sz]ed|authentication/i.test(reason))
		return "Log in again and resend the prompt";
	if (/\b(?:429|529)\b|rate.?limit|overloaded|quota|too many requests/i.test(reason))
		return "Resend the prompt later";
	if (/context.{0,20}(?:length|window|limit)|too many tokens|prompt is too long/i.test(reason))
		return "Compact the session and resend";
	if (/tool_use|tool_result|tool_call/.test(reason))
		return "Resend; if it fails again, go back before the broken tool call";
	return undefined;
}
