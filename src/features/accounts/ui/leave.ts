/** Goes to another page of this site. */
export function leaveFor(path: string): void {
  location.assign(path);
}
