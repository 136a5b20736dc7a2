/** Goes to another page of ours. */
export function leaveFor(path: string): void {
  location.assign(path);
}
