import { enhanceUpload } from "./upload-list.ts";

for (const drop of document.querySelectorAll<HTMLElement>("[data-enhance=upload-pictures]")) enhanceUpload(drop);
