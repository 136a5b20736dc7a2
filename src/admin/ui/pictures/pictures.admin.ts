// What makes work with pictures quicker comes only to the screens that have some. Without it their forms are sent whole.

const find = (name: string) => document.querySelectorAll<HTMLElement>(`[data-enhance="${name}"]`);

for (const drop of find("upload-pictures")) {
  void import("./upload-list.ts").then(({ enhanceUpload }) => enhanceUpload(drop));
}
for (const input of find("picture")) {
  void import("./picture-choice.ts").then((choice) => choice.enhancePictureField(input as HTMLInputElement));
}
for (const frame of find("focal-point")) {
  void import("./focal-point.ts").then(({ enhanceFocalPoint }) => enhanceFocalPoint(frame));
}
