import { type ComponentType, createElement } from "react";
import { hydrateRoot } from "react-dom/client";
import { islands } from "../islands.ts";
import { tellNotLoaded } from "../shell/not-loaded.ts";

for (const element of document.querySelectorAll<HTMLElement>("[data-island]")) {
  hydrate(element).catch((error: unknown) => {
    tellNotLoaded(element);
    throw error;
  });
}

async function hydrate(element: HTMLElement) {
  const name = element.dataset.island!;
  const Component = (await islands[name]!()) as ComponentType<object>;
  const props = JSON.parse(element.dataset.props ?? "{}") as object;
  // A separate task, so that a tap on a slow phone is answered between loading and hydrating.
  await new Promise((resolve) => setTimeout(resolve));
  hydrateRoot(element, createElement(Component, props), { identifierPrefix: name });
}
