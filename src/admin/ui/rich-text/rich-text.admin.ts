// The editor of texts, which is large, comes only to screens with a text to write. Without it the text area stays.

for (const area of document.querySelectorAll<HTMLTextAreaElement>('textarea[data-enhance="rich-text"]')) {
  void import("./enhance-text-area.ts").then(({ enhanceTextArea }) => enhanceTextArea(area));
}
