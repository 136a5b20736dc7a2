import type { ComponentType } from "react";

type Island = {
  /** When the browser fetches and hydrates it. */
  readonly on: "load" | "visible" | "idle";
  readonly load: () => Promise<ComponentType<never>>;
};

/** The only components that run in the browser; each is a chunk of its own. */
export const islands = {
  ApplicantActions: {
    on: "load",
    load: async () => (await import("#features/volunteering/ui/applicant/applicant-actions.tsx")).ApplicantActions,
  },
  ContactForm: {
    on: "load",
    load: async () => (await import("#features/content/ui/contact/contact-form.tsx")).ContactForm,
  },
  FreshLink: {
    on: "load",
    load: async () => (await import("#shared/links/ui/fresh-link.tsx")).FreshLink,
  },
  ChangePasswordPage: {
    on: "load",
    load: async () => (await import("#features/accounts/ui/profile/change-password-page.tsx")).ChangePasswordPage,
  },
  EditProfilePage: {
    on: "load",
    load: async () => (await import("#features/accounts/ui/profile/edit-profile-page.tsx")).EditProfilePage,
  },
  ProfilePage: {
    on: "load",
    load: async () => (await import("#features/accounts/ui/profile/profile-page.tsx")).ProfilePage,
  },
  LoginForm: {
    on: "load",
    load: async () => (await import("#features/accounts/ui/entrance/login-form.tsx")).LoginForm,
  },
  RegisterForm: {
    on: "load",
    load: async () => (await import("#features/accounts/ui/entrance/register-form.tsx")).RegisterForm,
  },
  ResetForm: {
    on: "load",
    load: async () => (await import("#features/accounts/ui/entrance/reset-form.tsx")).ResetForm,
  },
  VerifyEmail: {
    on: "load",
    load: async () => (await import("#features/accounts/ui/entrance/verify-email.tsx")).VerifyEmail,
  },
  DonationPage: {
    on: "load",
    load: async () => (await import("#features/donations/ui/donate/donation-page.tsx")).DonationPage,
  },
  SelectTickets: {
    on: "load",
    load: async () => (await import("#features/tickets/ui/select/select-tickets.tsx")).SelectTickets,
  },
  CheckoutPage: {
    on: "load",
    load: async () => (await import("#features/tickets/ui/checkout/checkout-page.tsx")).CheckoutPage,
  },
  OrderPage: {
    on: "load",
    load: async () => (await import("#features/tickets/ui/order/order-page.tsx")).OrderPage,
  },
  VolunteerForm: {
    on: "load",
    load: async () => (await import("#features/volunteering/ui/apply/volunteer-form.tsx")).VolunteerForm,
  },
} as const satisfies Record<string, Island>;

export type IslandName = keyof typeof islands;
