import { paths } from "#shared/paths.ts";

/** What people can do besides donating; `image` is the name of an illustration. */
export type Invitation = {
  readonly label: string;
  readonly text: string;
  readonly image: string;
  readonly path: string;
};

/** Shown in menus, in the footer and on tiles. */
export const invitations: readonly Invitation[] = [
  {
    label: "Become a volunteer",
    text: "Give an afternoon or a skill.",
    image: "spot-volunteer",
    path: paths.volunteer,
  },
];
