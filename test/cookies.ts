/** Sets a cookie as the server's answer would: 'user=7; path=/'. */
export function setCookie(cookie: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store API
  document.cookie = cookie;
}
