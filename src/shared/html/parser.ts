import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** parse5, loaded when first needed, because loading it would slow the start. */
export const loadParser = () => require("parse5") as typeof import("parse5");
