export type { DoctorSection } from "./doctor.ts";
export {
	type CommandOption,
	type Completion,
	completeOptions,
	findOption,
	helpText,
	readArguments,
	unknownText,
} from "./options.ts";
