// Loads the editor, which is large, on screens with a text to write. If it doesn't load, the text area stays.

for (const area of document.querySelectorAll<HTMLTextAreaElement>('textarea[data-enhance="rich-text"]')) {
  void import("./enhance-text-area.ts").then(({ enhanceTextArea }) => enhanceTextArea(area));
}
