/** Says before an island that its script did not load: without it, what the island shows answers no press (LAY-2). */
export function tellNotLoaded(island: Element): void {
  const reload = document.createElement("button");
  reload.className = "link-btn";
  reload.textContent = "Reload the page";
  reload.onclick = () => location.reload();
  const note = document.createElement("p");
  note.className = "note bad";
  note.role = "alert";
  note.append("Part of this page did not load. Please check your connection. ", reload);
  island.before(note);
}

/** Says so before every island if the script that starts them does not load. */
export function watchIslands(): void {
  for (const script of document.querySelectorAll("head script[type=module]")) {
    script.addEventListener("error", () => document.querySelectorAll("[data-island]").forEach(tellNotLoaded));
  }
}
