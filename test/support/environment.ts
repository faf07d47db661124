import { devNull } from "node:os";

/**
 * Removes the user's own environment before each test file, because language, colors, terminal, git's
 * folders and the suite's switches change what is tested. The remaining variables locate programs,
 * folders and the registry, or belong to the tests.
 */
const KEPT =
	/^(?:PATH|HOME|USERPROFILE|TMPDIR|TEMP|TMP|TZ|LD_PRELOAD|FAKETIME\w*|SystemRoot|ComSpec|PATHEXT|windir|ProgramFiles|CHROMIUM|(?:https?|no)_proxy|SSL_CERT_\w+|npm_\w+|NODE\w*|VITEST\w*|TEST|DEV|MODE|PROD|SSR|BASE_URL|TINYPOOL\w*|PI_SUITE_\w+|PROPERTY_SEED|SECRETS_PER_FORM|SESSION_FUZZ|READING_SESSIONS)$/i;

for (const name of Object.keys(process.env)) if (!KEPT.test(name)) delete process.env[name];
// A user's git may, for example, sign every commit.
Object.assign(process.env, { GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: "1" });
