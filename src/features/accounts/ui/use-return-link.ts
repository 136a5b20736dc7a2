import { useEffect, useState } from "react";
import { withReturn } from "../return-path.ts";

/** The address of a page that passes on where this one returns to (NAV-7), which the server doesn't know. */
export function useReturnLink(path: string): string {
  const [link, setLink] = useState(path);
  useEffect(() => setLink(withReturn(path, location.search)), [path]);
  return link;
}
