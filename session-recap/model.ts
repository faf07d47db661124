import type { Api, Model } from "@mariozechner/pi-ai";
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import {
	byPrice,
	type Candidate,
	type Choice,
	effortOf,
	formatSpec,
	getAgentDir,
	MAX_TOKENS_WITH_REASONING,
	type ModelChoice,
	pickFrom,
	priceText,
	regionOf,
} from "../session-core/pi/index.ts";
import { pickModel, recapSwitchPath } from "../session-core/settings/index.ts";
import { shownPath } from "../session-core/text/index.ts";

export interface Picking {
	choose(): ModelChoice;
	ctx: Pick<ExtensionContext, "hasUI" | "ui" | "model" | "modelRegistry">;
}

export type Said = readonly [text: string, kind?: "info" | "warning"];

/** A choice dialog in pi shows all choices at once, so a long list of models is split into pages. */
const MODELS_ON_PAGE = 10;

export async function chooseModel(recap: Picking): Promise<Said | undefined> {
	const { hasUI, ui, model: active, modelRegistry: catalog } = recap.ctx;
	if (!hasUI)
		return [
			"recap: choose a model in pi's terminal interface, or set fastModel in session-suite.json.",
			"warning",
		];
	if (!active) return ["recap: no model is active. Choose one with /model.", "warning"];
	const { provider, id } = active;
	const callable = catalog
		.getAll()
		.filter((one) => one.provider === provider && catalog.hasConfiguredAuth(one));
	if (callable.length === 0) {
		// If no model is available, pi's active model is only a placeholder.
		const which = catalog.find(provider, id) ? `no ${provider} model` : "no model";
		return [`recap: there is nothing to choose, because ${which} can be called. ${LOG_IN}`, "warning"];
	}
	const others = callable.filter((one) => one.id !== id);
	const priced = byPrice(others.filter((one) => priceText(one) !== undefined));
	const choices: Choice<string | number>[] = [
		{ label: `${modelLabel(active, active)} · the active model`, value: ACTIVE },
		...[...priced, ...others.filter((one) => !priced.includes(one))].map((one) => ({
			label: modelLabel(one, active),
			value: formatSpec(one),
		})),
	];
	for (let at = 0; ; ) {
		const page = choices.slice(at, at + MODELS_ON_PAGE);
		const more = choices.length - at - MODELS_ON_PAGE;
		if (more > 0) page.push({ label: `${more} more…`, value: at + MODELS_ON_PAGE });
		const picked = await pickFrom(ui, "Model for recaps and titles, with the price of a recap", page);
		if (picked === undefined) return undefined;
		if (typeof picked === "string") return useModel(recap, picked === ACTIVE ? undefined : picked);
		at = picked;
	}
}

const ACTIVE = "";

function modelLabel(model: Model<Api>, active: Model<Api>): string {
	const region = regionOf(model.id);
	const thinks = effortOf(model, "off").maxTokens >= MAX_TOKENS_WITH_REASONING;
	return [
		model.id,
		priceText(model) ?? "price unknown",
		region !== regionOf(active.id) && (region ? `region ${region}` : "another region"),
		thinks && "reasoning cannot be off",
	]
		.filter(Boolean)
		.join(" · ");
}

const LOG_IN = "Type /login or set a provider's API key.";

/** If `spec` is undefined, recaps and titles use the active model. */
export function useModel({ choose, ctx }: Picking, spec: string | undefined): Said {
	const agentDir = getAgentDir();
	const stored = pickModel(agentDir, spec);
	if (!stored.ok) return [`recap: not changed: ${stored.detail}`, "warning"];
	const file = shownPath(recapSwitchPath(agentDir));
	const saved = spec === undefined ? `${file} no longer contains a model` : `saved in ${file}`;
	const [first] = choose().candidates;
	if (!first || !ctx.modelRegistry.hasConfiguredAuth(first.model))
		return [`recap: ${saved}, but no model can be called. ${LOG_IN}`, "warning"];
	const isUsed = spec === undefined || formatSpec(first.model) === spec;
	if (isUsed) return [`recap: ${useText(first)} (${saved}).`];
	return [`recap: ${saved}, but the ${first.source} has priority: ${useText(first)}.`, "warning"];
}

function useText({ model }: Candidate): string {
	const price = priceText(model);
	return `recaps use ${formatSpec(model)}${price === undefined ? "" : `, ${price} each`}`;
}
