import { startViewer } from "./gallery-viewer.ts";

const list = document.querySelector<HTMLElement>(".gallery-list");
const viewer = document.querySelector<HTMLDialogElement>(".viewer");
if (list && viewer) startViewer(list, viewer);
