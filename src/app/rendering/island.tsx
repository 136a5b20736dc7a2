import type { ComponentType } from "react";
import { renderToString } from "react-dom/server";
import type { IslandName } from "./islands.ts";

/**
 * Renders a component as an island: a React root of its own, whose ids therefore agree with those that the browser
 * makes when it hydrates it from the same props.
 */
export function island<Props extends object>(name: IslandName, Component: ComponentType<Props>, props: Props) {
  const html = withoutImagePreloads(renderToString(<Component {...props} />, { identifierPrefix: name }));
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: this is React's own output, escaped by React.
    <div data-island={name} data-props={JSON.stringify(props)} dangerouslySetInnerHTML={{ __html: html }} />
  );
}

/** React puts a preload for every picture in front of what it renders, also for those that need not hurry. */
export function withoutImagePreloads(markup: string): string {
  return markup.replace(/^(?:<link rel="preload" as="image"[^>]*>)+/, "");
}
