import { nameWords } from "./names.ts";

/** Matches a reference such as `$TOKEN`, a placeholder, and encrypted or redacted text. */
const REFERENCE = new RegExp(
	`^(?:${[
		"\\$(?:[A-Z_][A-Z\\d_]*|[A-Za-z_]+|\\d{1,3})|\\$\\w+(?:\\(|->).*|\\$[A-Za-z_]+(?:\\[[\"'][A-Za-z_]+[\"']\\])+|[a-z][A-Za-z]*(?:\\.[a-z][A-Za-z]*)+\\([{[(]?",
		"\\$?\\$\\{[^{}]*\\}?|\\$?\\$\\([^()]*\\)?|\\$\\(\\(.*|\\$?\\{\\{.*|\\{(?:[\\w.!:]*\\}(?:\\/?>.*)?|[A-Za-z_.!:]*)|#\\{[^{}]*\\}?",
		"<[a-z]+>.*<\\/[a-z]+>|<[\\p{L}\\w .:/#|'’-]*>|[A-Z]{2,}(?:_[A-Z]{2,}){2,}|[A-Z]{2,}(?:_[A-Z\\d]{2,}){3,}|--[a-z][\\w-]*(?:=.*)?|(?:before|after)\\{.*|<[A-Za-z_-]+|<<[\\w .-]+>>|:[a-z_]+|\\$[A-Z][A-Z\\d_]{2,}\\/[\\w./-]+|[\"'] ?[.,+] ?\\$\\w.*|(?:idx|fk|uniq)_\\w+|\\*\\*[\\w ]+\\*\\*|[a-z_]+(?:\\|[\\w:,]+)+|(?:[A-Z][a-z]+){2,}@[a-z]\\w+|[\\w\\\\]+::class|[\\w:-]+:|<%.*|\\[[A-Za-z][\\w .:-]*(?:\\](?:\\(.*)?)?|\\[redacted\\].*|ENC\\[.*|%[\\w().:-]+%|%\\([\\w.]+\\)s|@\\w+@|%[a-z]|\\?+|\\d*\\*[A-Z]+",
		'[*•.…xX_#:=-]+|[{[].*":.*|\\[?\\{["\'][\\w -]*|[A-Za-z]{0,6}[A-Za-z_-]{0,16}(?:_?[xX]{8,})+|[0-]+|[A-Z_]{2,}=[.…]*|[\\w([{<-]{0,12}(?:\\.{3}|…)[)\\]}>]*',
		"\\$ANSIBLE_VAULT;.*|%\\{.*|\\{\\$[\\w>-]+\\}?|\\{\\d+\\}?|[\\p{L}\\p{M}\\p{Cf}\\p{Pd} :：.,()'’¿¡?!]*%?\\{\\w+\\}[\\p{L}\\p{M}\\p{Cf}\\p{Pd} :.,()'’¿¡?!]*|&lt;[\\w ]+&gt;.*|\\.[*+][$']?(?:[/|].*)?|\\[\\^.{1,4}\\][*+]\\)?[/|].*|(?:Final|Optional|Annotated)\\[.*|required[|_].*",
		"!{1,2}\\w+(?: .*)?|!{1,2}[01]\\W.*|(?:true|false)[},;].*|\\(?(?:null|void 0)(?:[=!]==?|[,;]).*|\\[\\][),;.].*|\\{[a-z][\\w.]+\\(.*|&'\\w+|\\((?:\\[\\^|\\?[:=!<]).*",
		"(?:process\\.env|import\\.meta|os\\.|env[.([]|ENV\\b|secrets\\.|vars\\.|config\\.|settings\\.|self\\.|this\\.)[\\w.$[\\]('\"`?!, )-]*",
		"your[-_ ].*|my[-_]?(?:password|secret|token|api|key|value)[\\w-]*|[\\w-]*placeholder[\\w-]*",
	].join("|")})$`,
	"su",
);
const TEMPLATE = (() => {
	const between = String.raw`[\w./:;@\\ #?&=,+^$|[\]-]*`;
	const reference = String.raw`(?:\$\{[^{}]{0,200}\}|\{\{[^{}]{0,200}\}\}|[$#]\([^()]{0,200}\)|#\{[^{}]{0,200}\}|\{(?:\d+|\$?[A-Za-z_.]*)\}|(?<!\w)%s(?!\w))`;
	return new RegExp(
		String.raw`^["\x60]?${between}(?:${reference}${between})+(?:\{\w*|["\x60])?$|^(?:\$[A-Za-z_]{2,60}[/:._-]*)+$`,
	);
})();

/** Lists words that are not secrets even if they follow a secret's name, as in `password: string`. */
const ORDINARY = new Set(
	`any array auto basic bearer bool boolean buffer bytes char confirmed default disabled empty enabled encrypted env error
	example expired failed id false field file given hash hashed hidden include input int integer invalid keyword literal
	credential credentials use-credentials masked missing must never inherit new nil no none null number object ok omit omitted optional password passwd plain present
	prompt provided required redacted removed passphrase focus same-origin secret secretstr see set str string text the this token true
	type undefined unknown void never promise unset username uuid valid value varchar wrong yes your await async typeof yield function lambda return
	raise on off try pass before after if else for while and or not in is option options flag flags argument arguments parameter get post`.split(
		/\s+/,
	),
);

/** Matches words that describe a secret, such as algorithms and types, as in `token: Uint8Array`. */
const ALGORITHM =
	/^(?:[HREP]S(?:256|384|512)|Ed(?:25519|448)|argon2(?:id?|d)?|PKCS ?#?\d{1,2}|base\d\d|(?:[ui]|u?int|float)(?:8|16|32|64|128)(?:array)?|\*const|1password)$/i;

export function isPlaceholder(value: string): boolean {
	if (
		value === "" ||
		REFERENCE.test(value) ||
		ALGORITHM.test(value) ||
		ORDINARY.has(value.replace(/^\?|[ ?):>.]+$/g, "").toLowerCase())
	)
		return true;
	// Neither a string that is joined with a variable nor a string of escape sequences is a secret.
	if (/^["'`]\s?[+.]\s?\w+\s?[+.]|^(?:\\(?:x[\da-f]{2}|[nrt0]))+$/i.test(value)) return true;
	// Podman's option `--secret=db-pass,type=env` names a secret but does not contain the secret's value.
	if (/^(?:["'&[]+|f["']\w+|\{\w*:.*|\**\]\(.*|[\w.-]+,type=.*)$/.test(value)) return true;
	return /[$%{]/.test(value) && TEMPLATE.test(value.slice(0, 400));
}

export const FUNCTION_WORD =
	/(?:^|\s)(?:a|an|and|are|as|at|be|by|can|cannot|characters?|enter|flag|for|from|has|if|in|incorrect|invalid|is|it|least|missing|must|new|not|of|on|option|or|please|required|should|that|the|to|too|was|will|with|wrong|your)(?=[\s:]|$)/i;
const SPEAKS_OF_IT = /must|should|cannot|passw|secret|token|credential|\bkeys?\b|[:.?]$|\.\.\.|…/i;
/** Matches the predicate of an error message, such as `is invalid`. */
const PREDICATE = /^(?:is|are|has|does|cannot|can't|doesn't) [a-z]/;
/** Matches a label in a natural language, as in a file with translations: `"password": "Heslo"`. */
const LABEL =
	/^(?:[¿¡:]?\p{Lu}|[^\0-\x7f])(?:[\p{L}\p{M}\p{Cf}\s.,:;।،。？?!'’"\\()·/\u3000-\u303f\uff00-\uff20-]|(?<=\s)\d{1,3}(?![\p{L}\d]))*$/u;

export function isTranslation(value: string): boolean {
	return LABEL.test(value.replace(/\\u[\da-f]{4}/gi, "x")) && !isMixed(value);
}

export function isSentence(value: string): boolean {
	return (
		/\s|[^\0-\x7f]{4}/.test(value) &&
		(isTranslation(value) || (FUNCTION_WORD.test(value) && SPEAKS_OF_IT.test(value)) || PREDICATE.test(value))
	);
}

const VERSION =
	/^(?:[\^~<>=v ]{0,3}\d+(?:\.\d+)+(?:[-+.][\w.+-]*)?(?:\([@\w].*)?|[\^~<>=][\d.x*^~<>=| ,-]+|(?:workspace|npm|patch|file|link|portal|catalog):.*|latest)$/;
const URL = /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|urn:)/i;
const PATH = /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/][\w.@~-]{0,40}(?:[\\/][\w.@~-]{0,40})*$/;
const FILE = /^[A-Za-z][\w-]{0,60}\.(?:pem|key|crt|cer|p12|pfx|json|ya?ml|toml|txt|conf)$/;

/** Returns true for a URL, a path or a package version, which may follow a name such as `tokenFile`. */
export function isLocation(value: string): boolean {
	if (VERSION.test(value) || URL.test(value) || FILE.test(value)) return true;
	if (/^[\w.@-]+(?:[\\/]+[\w.@-]+)+$/.test(value)) return value.split(/\W+/).every(isPlainName);
	return PATH.test(value) && !isGenerated(value);
}

const SECRET_WORD =
	/^(?:pass|pw|pwd|.*passw.*|passphrase|secrets?|tokens?|credentials?|creds?|.*(?:api|access)keys?|keys?|auth)$/;

const PASSWORD = /pass|pw/i;

/** Returns true if the value is another name for the secret, such as `adminPassword`. */
export function isNamedAfter(text: string, identifier: string): boolean {
	const words = nameWords(text);
	const secretWords = words.filter((word) => SECRET_WORD.test(word));
	return secretWords.some((word) => PASSWORD.test(word) || !PASSWORD.test(identifier));
}

const lettersOf = (name: string): string => name.replace(/[\W_]/g, "").toLowerCase();

/**
 * Returns true if the value is a label, another name for the secret, or the name of a constant. None of
 * these is a secret.
 */
export function isLabel(value: string, identifier: string, isCertain: boolean): boolean {
	if (!/^[\p{L}\p{M}\d_.:&/'? -]{1,120}$/u.test(value)) return false;
	if (lettersOf(value) === lettersOf(identifier)) return true;
	if (isCertain ? !/^[A-Z_]+$/.test(value) : !/[!-~]/.test(value) || /^[A-Z][A-Z\d]*_[A-Z\d_]+$/.test(value))
		return !isCertain;
	return (
		!/\d/.test(value.replace(/^[a-z]\d_/i, "")) &&
		(isNamedAfter(value, identifier) || /^[A-Z]+(?:_[A-Z]+)*_(?:SECRET|TOKEN|KEY|PASSWORD)$/.test(value))
	);
}

const CODE: readonly RegExp[] = [
	/^\((\w{0,30})\??$/,
	/^(?:\[\])?[*&!~([-]{0,3}([A-Za-z_$][\w$]*(?:(?:[?!]?\.|->|::)[A-Za-z_$][\w$]*)+)(?:(?:[([<!?{;,)}]|\|\||&&)[^#%^~\\]*)?[)\]}:]*$/,
	/^(?:\[\])*[*&!~([-]{0,3}([A-Za-z_$][\w$]{2,}(?:-\w+)?)(?:<[\w<>,. |]*>?|!|\?\.\w*)?[([{<][^#%^~\\]*(?<![)}]\w{0,9}\d\w{0,9})$/,
	/^(?:@|:|\[:|::|&'|&(?:mut\b|\[)?)([A-Za-z_]\w*(?:(?:::|\.)\w+)*)(?:[({].*|[,)\]}]*)$/,
	/^([A-Za-z_$][\w$]{0,2}(?:\.\w+)?|\d+|\{\})[,;][\w$]{1,20}[.=(].*$|^[A-Za-z_$][\w$]{0,30}[,;][\w$]{1,20}[.(].*$/s,
	/^()(?:\/.{1,200}\/[a-z]{0,5}[;,)]*|\(?(?:\?[:=!<]|\[\^).*|\(\[.*|.*\\[wdsS][+*{].*|[(<{[|]+[A-Za-z_$\d]*|[a-z]\w?\[[\w:-]+|[\w.(-]*[([{]["'`].*)$/s,
];

export function isCode(value: string, identifier: string | undefined, next: string): boolean {
	if (/^[A-Za-z_.]+\([A-Za-z_., ]*\)?$|^[A-Za-z_$]{1,2}=(?:$|>(?:$|\w*[({`]))/.test(value)) return true;
	const isPlain = (form: RegExp) =>
		form
			.exec(value)?.[1]
			?.split(/[^\w$]+/)
			.every(isPlainName);
	if (CODE.some(isPlain)) return true;
	const name = /^[A-Za-z_$][\w$]*(?=[;,)\]}:]*$)/.exec(value)?.[0] ?? "";
	if (!isPlainName(name)) return false;
	return (
		(identifier !== undefined && isNamedAfter(name, identifier)) ||
		(name !== "" && /^\s?[([](?!redacted\])/.test(next))
	);
}

/** Returns true if a name consists of words, as most identifiers do, and not of random characters. */
export function isPlainName(name: string): boolean {
	if (!/^[A-Za-z_$]*\d{0,5}$|^[A-Za-z_$]+\d{1,3}(?:_|[A-Z][a-z]{2,}|[a-z]{3,})[A-Za-z_$]*$/.test(name))
		return false;
	if (/^[a-z_]{1,4}$/.test(name)) return true;
	const units = name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
	return units.length < 2 || units.join("").length >= 2.4 * units.length;
}

/**
 * Matches names of algorithms, formats and versions, which mix letters and digits but are not
 * passwords.
 */
export const TECHNICAL =
	/^(?:sha|md|asn|aes|rsa|hs|rs|es|ps|ed|x|p|v|r|utf|ucs|ipv|http|tls|ssl|base|argon|pbkdf|oauth|openid|auth|bcrypt|scrypt|hmac|saml|node|python|php|java|int|uint|float|mp|ec|s|k|h|l|gpt|win|i18n|l10n|a11y|e2e|iso|rfc|cve|field|line|step|item|row|col|arg|param|test|file|user|id|var|val|key|part|level|page|option|example|token|password|secret|db|b64(?:en|de)c(?:ode)?)[-_]?\d{0,5}(?:[-_.][a-z\d]{0,8}|id|ctr|gcm|cbc|url|sum|crypt|mb4|le|be|bit|js|ts)?$/i;
export const NUMBER_AND_UNIT =
	/^[~<>≤≥+-]?[\d.,:]+(?:[a-z]{1,4}|st|nd|rd|th|min|%|px|chars?|days?|hours?|bytes?|bits?)?[.+]?$/i;
const HEX = /^(?:0x)?(?:[0-9a-f]{7,}|[0-9A-F]{7,})$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const NOT_A_WORD =
	/[/\\(){}<>[\]|"'`;,…=]|:\/\/|^[-#&:@]|::|\$\{|^\$[A-Z_]+$|\+\+|&&|&\w+;|\*\*|\?\?|\?\.|^[\w.+-]+@(?:[\w-]+\.[\w.-]+|localhost)$/;
const DOTTED =
	/^[\w.-]+\.[a-z]{1,5}:\d{1,6}$|^[a-z][a-z\d]*\.[A-Z][A-Za-z]+$|\.[a-z][a-z\d]{0,4}$|^v?\d+(?:\.\w+)+$|^\.|^[a-z]+(?:\.[a-z]+)+$|^[\w-]+(?:\.[\w-]+){2,}$/;
const SIGN_INSIDE = /[\p{L}\d][!@#$%^&*?+~][\p{L}\d]/u;

/**
 * Returns true if a word mixes letters with digits or symbols like a password, not like an
 * identifier.
 */
export function looksLikePassword(word: string): boolean {
	if (word.length < 4 || word.length > 128 || !/[\d!@#$%^&*?+~]/.test(word) || !/\p{L}/u.test(word))
		return false;
	if (TECHNICAL.test(word) || DOTTED.test(word) || NUMBER_AND_UNIT.test(word) || UUID.test(word))
		return false;
	if (NOT_A_WORD.test(word) || HEX.test(word)) return false;
	return /\d/.test(word) || SIGN_INSIDE.test(word) || /[^\s\p{L}][!@#$%^&*?+~]|\p{L}[!$%^&*]$/u.test(word);
}

const UNIT = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[!#$%^&*?+~,;<>=|\\(){}[\]"'`]|([\s\S])/g;

/**
 * Returns true if a value changes between letters, digits and symbols more often than words, names, times
 * and versions do. `length` is the minimum length.
 */
export function isGenerated(value: string, length = 8): boolean {
	if (value.length < length || /\s/.test(value)) return false;
	let [changes, units, size] = [0, 0, 0];
	let before = "";
	for (const [unit, joint] of value.slice(0, 200).matchAll(UNIT)) {
		if (joint === undefined) {
			const [short = 0, long = 0] = [unit.length, before.length].sort((a, b) => a - b);
			const isChange = /[^A-Za-z]/.test(unit + before) || (value.length < 12 ? long : short) <= 2;
			if (before !== "" && isChange) changes++;
			units++;
			size += unit.length;
		}
		before = joint === undefined ? unit : "";
	}
	return changes >= 3 && size / units <= 3.3;
}

/** Returns true if letters switch between upper and lower case more often than in an identifier. */
export function isMixed(value: string): boolean {
	const units = value.match(UNIT)?.length ?? 0;
	return /^[A-Za-z]{10,128}$/.test(value) && units >= 4 && value.length / units <= 4;
}

export const LONG_HEX = /^(?=\d*[a-f])(?=[a-f]*\d)[\da-f]{32,128}$/;

export function looksMadeUp(value: string): boolean {
	return looksLikePassword(value) || isGenerated(value) || isMixed(value) || LONG_HEX.test(value);
}

/**
 * Returns true for a long generated value with letters in both cases. Such a value cannot be an id or a
 * hash and must be a secret.
 */
export function isUnmistakable(value: string): boolean {
	return isGenerated(value, 12) && /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)/.test(value) && !UUID.test(value);
}

export function isIdentifier(value: string): boolean {
	return UUID.test(value) || /^[\da-f]{7,12}$|^[\da-f]{40}$/.test(value);
}

/** Returns true if the text after `Authorization:` is a credential and not an ordinary word. */
export function isCredential(value: string): boolean {
	const word = value.replace(/[.,;:!?)}\]]+$/, "");
	const isExpression =
		/^(?:realm|error|scope)=|^\w{1,16}=$|^https?:|^[&*{[\]]*[\w.$:]+[([{]|^[A-Za-z]+\.[A-Za-z]+$/;
	if (word.length < 6 || /[^\x20-\x7e]/.test(word) || isPlaceholder(word) || isExpression.test(word))
		return false;
	return isPlainName(word.replaceAll("-", "")) ? /\d$/.test(word) : true;
}
