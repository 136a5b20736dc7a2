import { createRoot } from "react-dom/client";
import { DoorApp } from "./door-app.tsx";
import { openDoor } from "./door-session.ts";

/** Shows the door in place of what the page says without scripts. */
export async function startDoor(place: HTMLElement): Promise<void> {
  const path = location.pathname;
  const door = await openDoor(path);
  createRoot(place).render(<DoorApp door={door} path={path} organisationName={place.dataset.organisation ?? ""} />);
}
