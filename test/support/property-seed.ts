import fc from "fast-check";

// The same inputs in every run: a failure is the change's fault. Another `PROPERTY_SEED` looks for new counterexamples.
fc.configureGlobal({ seed: Number(process.env["PROPERTY_SEED"] ?? 1) });
