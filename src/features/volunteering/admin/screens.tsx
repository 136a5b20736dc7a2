import type { Screen } from "#admin/screen.ts";
import { applicationScreen } from "./application/application-screen.tsx";
import { boardScreen } from "./board/board-screen.tsx";
import { listScreen } from "./list/list-screen.tsx";
import { shiftScreen } from "./shifts/shift-screen.tsx";
import { newShiftScreen, shiftsScreen } from "./shifts/shifts-screen.tsx";

export const volunteeringScreens: readonly Screen[] = [
  boardScreen,
  listScreen,
  shiftsScreen,
  newShiftScreen,
  shiftScreen,
  applicationScreen,
];
