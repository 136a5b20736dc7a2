import type { ComponentType } from "react";
import { renderToString } from "react-dom/server";

/** Renders a component as an island: a separate React root, so that its ids match when it is hydrated. */
export function island<Props extends object>(name: string, Component: ComponentType<Props>, props: Props) {
  const html = withoutImagePreloads(renderToString(<Component {...props} />, { identifierPrefix: name }));
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: this is React's own output, escaped by React.
    <div data-island={name} data-props={JSON.stringify(props)} dangerouslySetInnerHTML={{ __html: html }} />
  );
}

/** React prepends a preload for every picture, even for lazy ones. */
export function withoutImagePreloads(markup: string): string {
  return markup.replace(/^(?:<link rel="preload" as="image"[^>]*>)+/, "");
}
