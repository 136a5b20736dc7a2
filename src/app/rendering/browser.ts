import { type ComponentType, createElement } from "react";
import { hydrateRoot } from "react-dom/client";
import { islands } from "../islands.ts";

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

/** Without its script, what the island shows answers no press. */
function tellNotLoaded(element: HTMLElement) {
  const reload = document.createElement("button");
  reload.className = "link-btn";
  reload.textContent = "Reload the page";
  reload.onclick = () => location.reload();
  const note = document.createElement("p");
  note.className = "note bad";
  note.role = "alert";
  note.append("Part of this page did not load. Please check your connection. ", reload);
  element.before(note);
}
