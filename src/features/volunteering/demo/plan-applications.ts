import { demoPeople } from "#shared/demo-people.ts";
import type { Application } from "../application.ts";
import type { Stage } from "../stages.ts";

type Interest = Application["interests"][number];

/** An application of the invented year. */
export type PlannedApplication = {
  readonly application: Application;
  readonly daysAgo: number;
  /** The stages that it went through after it was received. */
  readonly stages: readonly Stage[];
  /** The roles that the person was, or would be, approved for. */
  readonly roles: readonly Interest[];
  /** The Working With Children Check: in how many days it ends, and whether somebody has verified it. */
  readonly check: { readonly daysLeft: number; readonly isVerified: boolean } | null;
};

/** Checks by the applicant's index. Everybody else who was approved has one for years. */
const checks: Readonly<Record<number, PlannedApplication["check"]>> = {
  2: { daysLeft: 24, isVerified: true },
  42: { daysLeft: 71, isVerified: true },
  12: { daysLeft: 900, isVerified: false },
  62: { daysLeft: 640, isVerified: true },
};

/** Applicant (index in the list), days ago, stages, interests. */
const rows: readonly (readonly [
  place: number,
  daysAgo: number,
  stages: readonly Stage[],
  interests: readonly Interest[],
])[] = [
  [2, 330, ["in_review", "approved"], ["Events", "Fundraising"]],
  [9, 301, ["in_review", "approved"], ["Administration"]],
  [24, 280, ["in_review", "declined"], ["Field Work"]],
  [33, 262, ["in_review", "approved"], ["Fundraising", "Newsletter Production"]],
  [42, 214, ["in_review", "waiting", "approved"], ["Field Work"]],
  [51, 188, ["withdrawn"], ["Events"]],
  [55, 171, ["in_review", "approved"], ["Volunteer Coordination"]],
  [4, 140, ["in_review", "approved"], ["Newsletter Production"]],
  [68, 118, ["in_review", "declined"], ["Administration", "Events"]],
  [31, 96, ["in_review", "approved"], ["Fundraising"]],
  [77, 61, ["in_review", "waiting"], ["Field Work", "Events"]],
  [83, 47, ["in_review", "waiting"], ["Administration"]],
  [38, 33, ["in_review", "approved"], ["Events"]],
  [62, 19, ["in_review"], ["Events", "Fundraising"]],
  [95, 14, ["in_review"], ["Administration", "Newsletter Production"]],
  [12, 12, ["in_review"], ["Field Work"]],
  [17, 9, [], ["Fundraising"]],
  [71, 7, [], ["Events", "Field Work"]],
  [46, 3, [], ["Newsletter Production"]],
  [98, 1, [], ["Administration"]],
];

const skills = [
  "Driving a van; I have a full licence.",
  "Spreadsheets, and being patient with printers.",
  "I speak Urdu and Punjabi.",
  "Cooking for many. First aid, renewed this year.",
];
const streets = ["12 Harbour Street", "3/48 Station Road", "7 Wattle Avenue", "156 Park Parade", "21 Mill Lane"];
const states: Readonly<Record<string, string>> = {
  "0": "Northern Territory",
  "2": "New South Wales",
  "3": "Victoria",
  "4": "Queensland",
  "5": "South Australia",
  "6": "Western Australia",
  "7": "Tasmania",
};
const stateOf = (postcode: string) => (postcode === "2600" ? "Australian Capital Territory" : states[postcode[0]!]!);

/** The applications of the year, oldest first. */
export const plannedApplications: readonly PlannedApplication[] = rows.map(
  ([place, daysAgo, stages, interests], index) => {
    const person = demoPeople[place]!;
    const relative = demoPeople[(place + 1) % demoPeople.length]!;
    const digits = String(index).padStart(2, "0");
    const application: Application = {
      name: `${person.firstName} ${person.lastName}`,
      street: streets[index % streets.length]!,
      state: stateOf(person.postcode),
      country: "Australia",
      postcode: person.postcode,
      // Australian telephone numbers reserved for fiction.
      mobile: `0491 570 1${digits}`,
      email: person.email,
      preferredContact: index % 3 === 0 ? "SMS" : "Email",
      skills: skills[index % skills.length]!,
      experience: index % 2 === 0 ? "Two years at a community kitchen." : "",
      availability: index % 2 === 0 ? "Weekend" : "Availability",
      interests: [...interests],
      emergencyName: `${relative.firstName} ${relative.lastName}`,
      emergencyPostcode: person.postcode,
      emergencyCity: "Auburn",
      emergencyState: stateOf(person.postcode),
      emergencyCountry: "Australia",
      emergencyMobile: `0491 570 2${digits}`,
      emergencyEmail: relative.email,
      emergencyPreferredContact: "SMS",
    };
    const usual = stages.includes("approved") ? { daysLeft: 1300 - index * 7, isVerified: true } : null;
    return { application, daysAgo, stages, roles: interests.slice(0, 1), check: checks[place] ?? usual };
  },
);
