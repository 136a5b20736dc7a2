import { type ComponentType, createElement } from "react";
import { hydrateRoot } from "react-dom/client";
import { type IslandName, islands } from "./islands.ts";

for (const element of document.querySelectorAll<HTMLElement>("[data-island]")) {
  const name = element.dataset.island as IslandName;
  whenDue(element, islands[name].on, () => void hydrate(element, name));
}

async function hydrate(element: HTMLElement, name: IslandName) {
  const Component = (await islands[name].load()) as ComponentType<object>;
  const props = JSON.parse(element.dataset.props ?? "{}") as object;
  // A task of its own, so that a tap on a slow phone is answered between loading and hydrating.
  await new Promise((resolve) => setTimeout(resolve));
  hydrateRoot(element, createElement(Component, props), { identifierPrefix: name });
}

function whenDue(element: HTMLElement, on: "load" | "visible" | "idle", run: () => void) {
  if (on === "load") run();
  else if (on === "idle") (window.requestIdleCallback ?? setTimeout)(run);
  else {
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      run();
    });
    observer.observe(element);
  }
}
