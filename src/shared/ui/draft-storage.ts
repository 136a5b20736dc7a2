/**
 * Where the browser keeps what was typed, so that a reload loses nothing: for as long as the tab lives, or on the device.
 * Storage may be switched off or full. Then nothing is kept, which is no reason to stop anybody.
 */
export function openDraftStorage(place: "tab" | "device", key: string) {
  const storage = () => (place === "tab" ? sessionStorage : localStorage);
  const unlessOff = <Result>(act: () => Result): Result | undefined => {
    try {
      return act();
    } catch {
      return undefined;
    }
  };
  return {
    find: <Draft>(read: (text: string | null) => Draft | undefined) => unlessOff(() => read(storage().getItem(key))),
    keep: (write: () => string): void => unlessOff(() => storage().setItem(key, write())),
    drop: (): void => unlessOff(() => storage().removeItem(key)),
  };
}
