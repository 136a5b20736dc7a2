import { type RefObject, useEffect, useRef, useState } from "react";
import { openReader } from "./read-codes.ts";

export type Camera = {
  readonly state: "starting" | "on" | "blocked" | "none" | "not secure";
  /** Null if the phone has no light that a page may switch. */
  readonly light: { readonly isOn: boolean; readonly toggle: () => void } | null;
};

/** The side of the square in the middle of the picture that is searched for a code, in pixels. */
const SIDE = 640;
/** A phone's processor needs some rest between two pictures. */
const REST_MS = 80;

/** Shows the camera's picture in `video`, and calls `onCode` for each picture with a code. */
export function useCamera(video: RefObject<HTMLVideoElement | null>, onCode: (text: string) => void): Camera {
  const [state, setState] = useState<Camera["state"]>("starting");
  const [track, setTrack] = useState<MediaStreamTrack | null>(null);
  const [isLit, setIsLit] = useState(false);
  const latest = useRef(onCode);
  latest.current = onCode;
  useEffect(() => {
    const stop = new AbortController();
    watch(video.current!, { onCode: (text) => latest.current(text), setState, setTrack, stopped: stop.signal });
    return () => stop.abort();
  }, [video]);
  const hasLight = (track?.getCapabilities?.() as { torch?: boolean } | undefined)?.torch === true;
  const toggle = () => {
    void track?.applyConstraints({ advanced: [{ torch: !isLit } as MediaTrackConstraintSet] }).catch(() => undefined);
    setIsLit(!isLit);
  };
  return { state, light: hasLight ? { isOn: isLit, toggle } : null };
}

type Watching = {
  readonly onCode: (text: string) => void;
  readonly setState: (state: Camera["state"]) => void;
  readonly setTrack: (track: MediaStreamTrack | null) => void;
  readonly stopped: AbortSignal;
};

async function watch(video: HTMLVideoElement, { onCode, setState, setTrack, stopped }: Watching): Promise<void> {
  if (navigator.mediaDevices === undefined) return setState("not secure");
  const wanted = { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 720 } };
  const opened = await navigator.mediaDevices.getUserMedia({ video: wanted }).catch((error: unknown) => error);
  if (!(opened instanceof MediaStream)) {
    return setState((opened as Error).name === "NotAllowedError" ? "blocked" : "none");
  }
  const close = () => {
    for (const track of opened.getTracks()) track.stop();
  };
  if (stopped.aborted) return close();
  stopped.addEventListener("abort", close);
  video.srcObject = opened;
  await video.play().catch(() => undefined);
  setTrack(opened.getVideoTracks()[0] ?? null);
  setState("on");
  const read = await openReader();
  const canvas = new OffscreenCanvas(SIDE, SIDE);
  const context = canvas.getContext("2d", { willReadFrequently: true })!;
  while (!stopped.aborted) {
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    if (document.visibilityState !== "visible" || video.videoWidth === 0) continue;
    const side = Math.min(video.videoWidth, video.videoHeight);
    const [left, top] = [(video.videoWidth - side) / 2, (video.videoHeight - side) / 2];
    context.drawImage(video, left, top, side, side, 0, 0, SIDE, SIDE);
    const text = await read(context.getImageData(0, 0, SIDE, SIDE)).catch(() => null);
    if (text !== null && !stopped.aborted) onCode(text);
  }
}
