/** The functions of an object, wrapped by `safely`. */
export type Safe<Functions> = {
	[Name in keyof Functions]: Functions[Name] extends (...args: infer Args) => infer Result
		? (...args: Args) => SafeResult<Result>
		: Functions[Name];
};

type SafeResult<Result> =
	Result extends Promise<infer Value> ? Promise<Value | undefined> : Result | undefined;

/**
 * Wraps the functions of one extension, so that a fault in one of them never reaches its caller, which may be another extension. A function
 * that fails returns undefined, or a promise of undefined. `failed` reports the fault.
 */
export function safely<Functions extends object>(
	functions: Functions,
	failed: (error: unknown) => void,
): Safe<Functions> {
	const caught = (error: unknown): undefined => {
		failed(error);
	};
	const wrapped = Object.entries(functions).map(([name, run]: [string, (...args: unknown[]) => unknown]) => {
		const safe = (...args: unknown[]) => {
			try {
				const result = run(...args);
				return result instanceof Promise ? result.catch(caught) : result;
			} catch (error) {
				return caught(error);
			}
		};
		return [name, safe];
	});
	return Object.fromEntries(wrapped);
}
