import { enhancePictureField } from "./picture-choice.ts";

for (const input of document.querySelectorAll<HTMLInputElement>("[data-enhance=picture]")) enhancePictureField(input);
