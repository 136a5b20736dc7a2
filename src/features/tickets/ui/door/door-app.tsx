import { useEffect, useState, useSyncExternalStore } from "react";
import { CheckView } from "./check-view.tsx";
import { type Door, type DoorState, type ReadyState, syncRegularly } from "./door-session.ts";
import { PairView } from "./pair-view.tsx";
import { ScanView } from "./scan-view.tsx";
import { allowSound } from "./signals.ts";

type Props = { readonly door: Door; readonly path: string; readonly organisationName: string };

/** The door on a phone: pairing, a check before doors, then scanning. */
export function DoorApp({ door, path, organisationName }: Props) {
  const state = useSyncExternalStore(door.subscribe, door.getState);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => syncRegularly(door), [door]);
  if (state.isPaired === false || (!isReady(state) && !state.isOnline)) {
    return <PairView door={door} state={state} organisationName={organisationName} />;
  }
  if (!isReady(state)) {
    return (
      <div className="door">
        <p className="door-wait" role="status">
          Getting the tickets…
        </p>
      </div>
    );
  }
  const open = () => {
    allowSound();
    setIsOpen(true);
  };
  if (!isOpen) return <CheckView door={door} state={state} path={path} onOpen={open} />;
  return <ScanView door={door} state={state} onCheck={() => setIsOpen(false)} />;
}

const isReady = (state: DoorState): state is ReadyState => state.list !== null;
