import { paths } from "#shared/paths.ts";

/** What people can do besides donating: in menus, in the footer, and where there is nothing else to do. */
export const invitations: readonly { readonly label: string; readonly path: string }[] = [
  { label: "Become a volunteer", path: paths.volunteer },
];
