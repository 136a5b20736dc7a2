/** One entry in the tab's or device's storage. If storage is blocked or full, it keeps nothing and never throws. */
export function openStorage(place: "tab" | "device", key: string) {
  const storage = () => (place === "tab" ? sessionStorage : localStorage);
  const unlessOff = <Result>(act: () => Result): Result | undefined => {
    try {
      return act();
    } catch {
      return undefined;
    }
  };
  const find = <Kept>(read: (text: string | null) => Kept | undefined) => unlessOff(() => read(storage().getItem(key)));
  const drop = (): void => unlessOff(() => storage().removeItem(key));
  return {
    find,
    /** The same, and removes it. */
    take<Kept>(read: (text: string | null) => Kept | undefined) {
      const kept = find(read);
      drop();
      return kept;
    },
    keep: (write: () => string): void => unlessOff(() => storage().setItem(key, write())),
    drop,
  };
}
