import { useEffect, useState } from "react";
import type { TicketEvent } from "../../contract.ts";
import { findDraft } from "../draft-storage.ts";
import type { Seats } from "./offer-calls.ts";

const OLD_MS = 60_000;

/**
 * What is on sale. The page is made anew for each request, so the server is asked again only when it is shown again, or
 * looked at after a while; and at once when this tab's own order holds seats, because those are free for it: they are
 * given up for the new choice. `isFresh` once nothing more is waited for.
 */
export function useSeats(made: TicketEvent): Seats & { readonly isFresh: boolean } {
  const [seats, setSeats] = useState<Seats>({ offer: made, own: {} });
  const [isFresh, setFresh] = useState(false);
  const { slug } = made;
  useEffect(() => {
    let askedAt = Date.now();
    const ask = async () => {
      askedAt = Date.now();
      const { findSeats } = await import("./offer-calls.ts");
      const found = await findSeats(slug, findDraft(slug)?.order);
      if (found !== undefined) setSeats(found);
    };
    // Without an answer, what the page was made with will do: the checkout counts again.
    const refresh = () => void ask().then(settle, settle);
    const settle = () => setFresh(true);
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && refresh();
    const onLook = () => document.visibilityState === "visible" && Date.now() - askedAt > OLD_MS && refresh();
    if (findDraft(slug)?.order === undefined) settle();
    else refresh();
    addEventListener("pageshow", onShow);
    document.addEventListener("visibilitychange", onLook);
    return () => {
      removeEventListener("pageshow", onShow);
      document.removeEventListener("visibilitychange", onLook);
    };
  }, [slug]);
  return { ...seats, isFresh };
}
