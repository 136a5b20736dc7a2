import { randomBytes } from "node:crypto";
import { type AuthorisationRow, type Belongings, forged, post } from "./authorisation-rows.ts";

const [nowhere, refused] = ["404 not_found", "403 not_allowed"];

/** An application to volunteer opens with its link only: a session makes no difference, and members without the key get 403. */
export const applicantRows: readonly AuthorisationRow[] = [
  ...["", "/withdrawal"].flatMap((act): AuthorisationRow[] => {
    const path = `/volunteer/application/:id${act}`;
    const urlOf = ({ applicationId }: Belongings) => `/api/volunteer/application/${applicationId}${act}`;
    return [
      post(path, {
        guest: "200",
        own: "200",
        others: "200",
        isLasting: true,
        ask: (of) => ({ url: urlOf(of), body: { key: of.applicationKey } }),
      }),
      post(path, {
        guest: nowhere,
        own: refused,
        others: refused,
        missing: refused,
        ask: (of) => ({ url: urlOf(of), body: { key: randomBytes(32).toString("base64url"), street: "5 Lake Road" } }),
      }),
    ];
  }),
  ...["", "/leaving"].flatMap((act): AuthorisationRow[] => {
    const path = `/volunteer/application/:id/shifts/:shift${act}`;
    const urlOf = ({ applicationId }: Belongings) =>
      `/api/volunteer/application/${applicationId}/shifts/00000000-0000-4000-8000-000000000000${act}`;
    return [
      post(path, {
        guest: "409 no_place",
        own: "409 no_place",
        others: "409 no_place",
        ask: (of) => ({ url: urlOf(of), body: { key: of.applicationKey, role: "Events" } }),
      }),
      post(path, {
        guest: nowhere,
        own: refused,
        others: refused,
        missing: refused,
        ask: (of) => ({ url: urlOf(of), body: { key: randomBytes(32).toString("base64url"), role: "Events" } }),
      }),
    ];
  }),
  {
    route: "GET /volunteer/application/:id/hours.pdf",
    visitor: "404",
    guest: "404",
    own: "403",
    others: "403",
    missing: "403",
    ask: (of) => ({ url: forged(`/volunteer/application/${of.applicationId}/hours.pdf?key=`) }),
  },
  {
    route: "GET /volunteer/application/:id",
    visitor: "200",
    guest: "200",
    own: "200",
    others: "200",
    ask: (of) => ({ url: `/volunteer/application/${of.applicationId}?key=${of.applicationKey}` }),
  },
  {
    route: "GET /volunteer/application/:id",
    visitor: "404",
    guest: "404",
    own: "403",
    others: "403",
    missing: "403",
    ask: (of) => ({ url: forged(`/volunteer/application/${of.applicationId}?key=`) }),
  },
  {
    route: "GET /volunteer/application/:id/photo",
    visitor: "404",
    guest: "404",
    own: "403",
    others: "403",
    missing: "403",
    // The key of the page does not open the picture.
    ask: (of) => ({ url: `/volunteer/application/${of.applicationId}/photo?key=${of.applicationKey}` }),
  },
];
