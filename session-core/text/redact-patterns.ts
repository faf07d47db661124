/** One kind of secret that is known by its shape alone. */
export interface TokenPattern {
	name: string;
	/** Where the shape is documented: the provider's own pages, or the rule of the gitleaks default configuration. */
	source: string;
	/** Regular expression source; it must not hold a capturing group, and must fail or succeed in linear time. */
	shape: string;
}

const HEX = "[A-Fa-f0-9]";
const WORD = "[A-Za-z0-9]";
const URLSAFE = "[A-Za-z0-9_-]";

/**
 * Shapes are looser than a scanner's: minimum lengths are shorter, because text that is cut off still holds most of
 * a key, and a false alarm costs one word of a recap.
 */
export const TOKEN_PATTERNS: readonly TokenPattern[] = [
	// Models
	{ name: "Anthropic", source: "gitleaks anthropic-api-key", shape: `sk-ant-${URLSAFE}{16,}` },
	{ name: "OpenRouter", source: "gitleaks openrouter-api-key", shape: `sk-or-${URLSAFE}{16,}` },
	{
		name: "OpenAI",
		source: "gitleaks openai-api-key",
		shape: `sk-(?:proj|svcacct|admin|None)-${URLSAFE}{16,}`,
	},
	{
		name: "OpenAI, legacy and look-alikes",
		source: "gitleaks openai-api-key",
		shape: `sk-(?=${WORD}{0,40}\\d)${WORD}{20,}`,
	},
	{ name: "Google API", source: "gitleaks gcp-api-key", shape: `AIza${URLSAFE}{30,}` },
	{
		name: "Google OAuth",
		source: "developers.google.com/identity/protocols/oauth2",
		shape: `(?:ya29\\.|GOCSPX-|1//0)${URLSAFE}{20,}`,
	},
	{ name: "Groq", source: "gitleaks groq-api-key", shape: `gsk_${WORD}{20,}` },
	{ name: "xAI", source: "docs.x.ai, API keys", shape: `xai-${WORD}{20,}` },
	{ name: "Perplexity", source: "gitleaks perplexity-api-key", shape: `pplx-${WORD}{20,}` },
	{
		name: "Hugging Face",
		source: "gitleaks huggingface-access-token",
		shape: `(?:hf_|api_org_)${WORD}{30,}`,
	},
	{ name: "Replicate", source: "replicate.com/docs, API tokens", shape: `r8_${WORD}{30,}` },
	{ name: "Cerebras", source: "inference-docs.cerebras.ai", shape: `csk-${WORD}{30,}` },
	{ name: "NVIDIA", source: "docs.api.nvidia.com", shape: `nvapi-${URLSAFE}{30,}` },
	{ name: "Tavily", source: "docs.tavily.com", shape: `tvly-${URLSAFE}{20,}` },
	{ name: "LangSmith", source: "docs.smith.langchain.com", shape: `lsv2_(?:pt|sk)_${HEX}{20,}` },

	// Code and packages
	{
		name: "GitHub",
		source: "gitleaks github-pat, github-oauth, github-app-token, github-refresh-token",
		shape: `gh[opsur]_${URLSAFE}{16,}(?:\\.${URLSAFE}{8,}){0,2}`,
	},
	{
		name: "GitHub, fine-grained",
		source: "gitleaks github-fine-grained-pat",
		shape: `github_pat_${URLSAFE}{16,}`,
	},
	{
		name: "GitLab",
		source: "docs.gitlab.com/security/tokens, token prefixes",
		shape: `gl(?:pat|oas|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|ffct)-[A-Za-z0-9_.-]{16,}`,
	},
	{ name: "npm", source: "gitleaks npm-access-token", shape: `npm_${WORD}{30,}` },
	{ name: "PyPI", source: "gitleaks pypi-upload-token", shape: `pypi-${URLSAFE}{40,}` },
	{ name: "RubyGems", source: "gitleaks rubygems-api-token", shape: `rubygems_${HEX}{40,}` },
	{ name: "Artifactory", source: "gitleaks artifactory-api-key", shape: `(?:AKCp|cmVmd)${WORD}{50,}` },
	{ name: "Postman", source: "gitleaks postman-api-token", shape: `PMAK-${URLSAFE}{30,}` },
	{
		name: "Sentry",
		source: "gitleaks sentry-org-token, sentry-user-token",
		shape: "sntry[su]_[A-Za-z0-9_+/=-]{20,}",
	},

	// Clouds
	{
		name: "AWS key id",
		source: "gitleaks aws-access-token",
		shape: `(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}(?!${WORD})`,
	},
	{
		name: "AWS Bedrock",
		source: "gitleaks aws-amazon-bedrock-api-key-long-lived",
		shape: "ABSK[A-Za-z0-9+/]{60,}={0,2}",
	},
	{
		name: "Azure storage",
		source: "learn.microsoft.com, storage connection strings",
		shape: "(?<=AccountKey=)[A-Za-z0-9+/]{20,}={0,2}",
	},
	{
		name: "Azure AD client",
		source: "gitleaks azure-ad-client-secret",
		shape: `${WORD}{3}\\dQ~[A-Za-z0-9_~.-]{30,}`,
	},
	{ name: "DigitalOcean", source: "gitleaks digitalocean-pat", shape: `do[opr]_v1_${HEX}{30,}` },
	{
		name: "Cloudflare origin CA",
		source: "gitleaks cloudflare-origin-ca-key",
		shape: `v1\\.0-${HEX}{24}-${HEX}{40,}`,
	},
	{ name: "Databricks", source: "gitleaks databricks-api-token", shape: `dapi${HEX}{32}` },
	{
		name: "Doppler",
		source: "gitleaks doppler-api-token",
		shape: `dp\\.(?:pt|st|sa|ct|scim|audit)\\.(?:[a-z0-9_-]{1,40}\\.)?${WORD}{30,}`,
	},
	{
		name: "Fly.io",
		source: "gitleaks flyio-access-token",
		shape: "(?:fo1_|fm[12][ar]?_)[A-Za-z0-9+/=_-]{40,}",
	},
	{
		name: "HashiCorp Vault",
		source: "gitleaks vault-service-token, vault-batch-token",
		shape: `hv[sbr]\\.${URLSAFE}{20,}`,
	},
	{
		name: "HashiCorp Terraform",
		source: "gitleaks hashicorp-tf-api-token",
		shape: `${WORD}{14}\\.atlasv1\\.[A-Za-z0-9_=-]{40,}`,
	},
	{
		name: "PlanetScale",
		source: "gitleaks planetscale-api-token",
		shape: "pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{30,}",
	},
	{
		name: "Supabase",
		source: "supabase.com/docs, API keys",
		shape: `(?:sbp_${HEX}{40}|sb_secret_${URLSAFE}{20,})`,
	},
	{
		name: "Grafana",
		source: "gitleaks grafana-service-account-token, grafana-cloud-api-token",
		shape: "(?:glsa_|glc_)[A-Za-z0-9_+/=]{30,}",
	},
	{ name: "New Relic", source: "gitleaks new-relic-user-api-key", shape: "NRAK-[A-Za-z0-9]{20,}" },

	// Payment, mail, chat, documents
	{
		name: "Stripe",
		source: "gitleaks stripe-access-token",
		shape: `(?:[rs]k_(?:live|test|prod)_|whsec_)[A-Za-z0-9+/=]{10,}`,
	},
	{
		name: "Square",
		source: "gitleaks square-access-token",
		shape: `(?:EAAA|sq0atp-|sq0csp-)${URLSAFE}{22,}`,
	},
	{ name: "Shopify", source: "gitleaks shopify-access-token", shape: `shp(?:at|ca|pa|ss)_${HEX}{32}` },
	{
		name: "SendGrid",
		source: "gitleaks sendgrid-api-token",
		shape: `SG\\.${URLSAFE}{16,64}\\.${URLSAFE}{16,}`,
	},
	{ name: "Mailgun", source: "gitleaks mailgun-private-api-token", shape: `key-${HEX}{32}` },
	{ name: "Mailchimp", source: "gitleaks mailchimp-api-key", shape: `${HEX}{32}-us\\d{1,2}` },
	{ name: "Twilio", source: "gitleaks twilio-api-key", shape: `SK${HEX}{32}` },
	{
		name: "Slack",
		source: "docs.slack.dev/authentication/tokens",
		shape: `(?:xox[abceoprs](?:\\.xox[bp])?|xapp)-(?=${URLSAFE}{0,40}\\d)${URLSAFE}{10,}`,
	},
	{
		name: "Slack webhook",
		source: "gitleaks slack-webhook-url",
		shape: "(?<=hooks\\.slack\\.com/(?:services|workflows|triggers)/)[A-Za-z0-9+/]{20,}",
	},
	{
		name: "Discord bot",
		source: "discord.com/developers/docs/reference",
		shape: `[MNO]${URLSAFE}{23,27}\\.${URLSAFE}{6}\\.${URLSAFE}{27,45}`,
	},
	{
		name: "Discord webhook",
		source: "discord.com/developers/docs/resources/webhook",
		shape: `(?<=discord(?:app)?\\.com/api/webhooks/\\d{1,20}/)${URLSAFE}{20,}`,
	},
	{
		name: "Telegram bot",
		source: "core.telegram.org/bots/api#authorizing-your-bot",
		shape: `(?:bot)?\\d{6,12}:A${URLSAFE}{32,36}`,
	},
	{ name: "Atlassian", source: "gitleaks atlassian-api-token", shape: "ATATT3[A-Za-z0-9_=-]{40,}" },
	{ name: "Linear", source: "gitleaks linear-api-key", shape: `lin_(?:api|oauth)_${WORD}{30,}` },
	{ name: "Notion", source: "gitleaks notion-api-token", shape: `(?:ntn_|secret_)${WORD}{40,}` },
	{
		name: "Figma",
		source: "developers.figma.com, personal access tokens",
		shape: `fig[dor]_${URLSAFE}{30,}`,
	},
	{
		name: "Airtable",
		source: "airtable.com/developers/web/guides/personal-access-tokens",
		shape: `pat${WORD}{14}\\.${HEX}{64}`,
	},
	{
		name: "1Password service account",
		source: "gitleaks 1password-service-account-token",
		shape: "ops_eyJ[A-Za-z0-9+/=_-]{40,}",
	},
	{ name: "age", source: "gitleaks age-secret-key", shape: "AGE-SECRET-KEY-1[A-Z0-9]{40,}" },

	// Formats
	{
		name: "JSON Web Token",
		source: "RFC 7519; gitleaks jwt",
		shape: `(?:(?<!${URLSAFE})|(?<=\\\\[nrt]))eyJ${URLSAFE}{8,}\\.(?:${URLSAFE}{8,}(?:\\.${URLSAFE}*)*)?`,
	},
	{
		name: "AWS signature",
		source: "docs.aws.amazon.com, Signature Version 4",
		shape: `(?<=Signature=)${HEX}{32,}`,
	},
];
