import { lazyPart } from "#shared/ui/use-load.tsx";

export const lazySteps = lazyPart(() => import("./lazy-donation-steps.tsx"));
