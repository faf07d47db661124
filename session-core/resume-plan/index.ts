export { handOverFile } from "./hand-over.ts";
export { resumePriceText } from "./price.ts";
export {
	beginningOf,
	goalPrompt,
	type Handover,
	isBranching,
	isSendable,
	resumePrompt,
	stepPrompt,
} from "./prompt.ts";
export {
	RESUME_VARIABLE,
	RESUMED_FROM_VARIABLE,
	readWaiting,
	resumedJob,
	type Waiting,
} from "./variables.ts";
