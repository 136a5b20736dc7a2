import type { Screen } from "#admin/screen.ts";
import { kinds } from "../server/editing/kinds.ts";
import { editorScreen, newItemScreen } from "./editor-screen.tsx";
import { externalLinksScreen } from "./external-links/external-links-screen.tsx";
import { historyScreen } from "./history-screen.tsx";
import { listScreen } from "./list-screen.tsx";
import { messageScreen } from "./messages/message-screen.tsx";
import { messagesScreen } from "./messages/messages-screen.tsx";
import { libraryScreen } from "./pictures/library-screen.tsx";
import { pictureScreen } from "./pictures/picture-screen.tsx";
import { redirectsScreen } from "./redirects/redirects-screen.tsx";

/** The screens of everything that the site says, in the order of the navigation. */
export const contentScreens: readonly Screen[] = [
  ...kinds.flatMap((kind) => [
    listScreen(kind),
    ...(kind.isOpen ? [newItemScreen(kind)] : []),
    editorScreen(kind),
    historyScreen(kind),
  ]),
  libraryScreen,
  pictureScreen,
  redirectsScreen,
  externalLinksScreen,
];

/** The inbox of the contact form. */
export const messagesScreens: readonly Screen[] = [messagesScreen, messageScreen];
