import type { Screen } from "#admin/screen.ts";
import { applicationScreen } from "./application/application-screen.tsx";
import { boardScreen } from "./board/board-screen.tsx";
import { listScreen } from "./list/list-screen.tsx";

export const volunteeringScreens: readonly Screen[] = [boardScreen, listScreen, applicationScreen];
