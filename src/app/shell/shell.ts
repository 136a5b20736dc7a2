import { startGuest } from "#features/accounts/ui/entrance/guest.ts";
import { startDisclosures } from "./disclosures.ts";
import { startEnhancements } from "./enhancements.ts";
import { startPanel } from "./panel.ts";
import { startRising } from "./rising.ts";
import { startSession } from "./session.ts";
import { startToasts } from "./toasts.ts";

startSession();
startDisclosures();
startPanel();
startToasts();
startEnhancements();
startRising();
startGuest();
