import { startGuest } from "#features/accounts/ui/guest.ts";
import { startDisclosures } from "./disclosures.ts";
import { startDonateLinks } from "./donate-links.ts";
import { startEnhancements } from "./enhancements.ts";
import { startPanel } from "./panel.ts";
import { startRising } from "./rising.ts";
import { startToasts } from "./toasts.ts";

startDonateLinks();
startDisclosures();
startPanel();
startToasts();
startEnhancements();
startRising();
startGuest();
