import type { Screen } from "#admin/screen.ts";
import { accountScreens } from "./account-screens.tsx";
import { administratorScreen } from "./administrator-screen.tsx";
import { auditScreen } from "./audit-screen.tsx";
import { dashboardScreen } from "./dashboard-screen.tsx";
import { filtersScreen } from "./filters-screen.tsx";
import { findScreen } from "./find-screen.tsx";
import { logInScreens } from "./log-in-screens.tsx";
import { staffList } from "./staff-list.tsx";
import { staffPerson } from "./staff-person.tsx";
import { welcomeScreens } from "./welcome-screens.tsx";

export const staffScreens: readonly Screen[] = [
  dashboardScreen,
  findScreen,
  ...logInScreens,
  ...welcomeScreens,
  ...accountScreens,
  filtersScreen,
  staffList,
  staffPerson,
  administratorScreen,
  auditScreen,
];
