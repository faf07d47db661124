import fc from "fast-check";

// Every run uses the same inputs, so a new failure is caused by a change in the code. Set
// `PROPERTY_SEED` to look for new counterexamples.
fc.configureGlobal({ seed: Number(process.env["PROPERTY_SEED"] ?? 1) });
