import type { IslandName } from "./islands.ts";

/** The source file of each island: the key under which the build's manifest lists its chunk and stylesheet. */
export const islandFiles = {
  ApplicantActions: "src/features/volunteering/ui/applicant-actions.tsx",
  ContactForm: "src/features/content/ui/contact-form.tsx",
  FreshLink: "src/shared/ui/fresh-link.tsx",
  ChangePasswordPage: "src/features/accounts/ui/change-password-page.tsx",
  EditProfilePage: "src/features/accounts/ui/edit-profile-page.tsx",
  ProfilePage: "src/features/accounts/ui/profile-page.tsx",
  LoginForm: "src/features/accounts/ui/login-form.tsx",
  RegisterForm: "src/features/accounts/ui/register-form.tsx",
  ResetForm: "src/features/accounts/ui/reset-form.tsx",
  VerifyEmail: "src/features/accounts/ui/verify-email.tsx",
  DonationPage: "src/features/donations/ui/donation-page.tsx",
  SelectTickets: "src/features/tickets/ui/select-tickets.tsx",
  CheckoutPage: "src/features/tickets/ui/checkout-page.tsx",
  OrderPage: "src/features/tickets/ui/order-page.tsx",
  VolunteerForm: "src/features/volunteering/ui/volunteer-form.tsx",
} as const satisfies Record<IslandName, string>;
