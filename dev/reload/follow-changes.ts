/** Reloads the page when a new server answers. Only `npm run dev` builds it in. */
export function followChanges(): void {
  let known: string | undefined;
  new EventSource("/dev/changes").addEventListener("message", ({ data: server }) => {
    if (known !== undefined && known !== server) location.reload();
    known = server;
  });
}
