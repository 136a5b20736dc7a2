import type { ReactElement } from "react";
import { LoginPage } from "#features/accounts/ui/login-page.tsx";
import type { HomeContent } from "#features/content/home-content.ts";
import { HomePage } from "#features/content/ui/home-page.tsx";
import { DonationPage } from "#features/donations/ui/donation-page.tsx";
import type { Organisation } from "#shared/organisation.ts";
import { paths } from "#shared/paths.ts";
import { island } from "./island.tsx";

/** What pages may ask the server for. */
export type PageServices = { readonly findHome: () => Promise<HomeContent> };

type Row<Data> = {
  readonly path: string;
  readonly load: (services: PageServices) => Promise<Data>;
  readonly title: (organisation: Organisation) => string;
  readonly description: (organisation: Organisation) => string;
  readonly body: (data: Data, organisation: Organisation) => ReactElement;
  /** A page with a form is quieter: the floating badge docks under the footer on phones. */
  readonly bodyClass?: "is-form";
  /** The ticket pages hide the header (LAY-1). */
  readonly hasHeader?: false;
  /** Takes payments: its security policy lets the provider's script and frame in. */
  readonly takesPayments?: true;
};

export type Page = Row<unknown>;

const page = <Data,>(row: Row<Data>) => row as unknown as Page;
const nothing = async () => undefined;

/** Every page there is. Fastify is the only router; links are plain links. */
export const pages: readonly Page[] = [
  page({
    path: paths.home,
    load: ({ findHome }) => findHome(),
    title: ({ name }) => `${name}: Helping Today. Shaping Tomorrow`,
    description: ({ name, supports }) =>
      `${name} raises donations in Australia for ${supports}: ambulances, hospitals, schools, homes, meals and flood relief.`,
    body: (home, organisation) => <HomePage home={home} organisation={organisation} />,
  }),
  page({
    path: paths.login,
    load: nothing,
    title: ({ name }) => `Give as a guest | ${name}`,
    description: ({ name }) => `Donate to ${name} as a guest: no account is needed, and the receipt comes by e-mail.`,
    body: (_, organisation) => <LoginPage organisation={organisation} />,
    bodyClass: "is-form",
  }),
  page({
    path: paths.donation,
    load: nothing,
    title: ({ name }) => `Donate | ${name}`,
    description: ({ name }) =>
      `Give to ${name} by card in four short steps, or by bank deposit. Receipts come by e-mail.`,
    body: (_, { name, abn, phone, email, donationsEmail, banks, registration }) =>
      island("DonationPage", DonationPage, {
        organisation: { name, abn, phone, email, donationsEmail, banks, registration },
      }),
    bodyClass: "is-form",
    takesPayments: true,
  }),
];
