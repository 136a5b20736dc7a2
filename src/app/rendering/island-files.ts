import type { IslandName } from "./islands.ts";

/** The source file of each island: the key under which the build's manifest lists its chunk and stylesheet. */
export const islandFiles = {
  ApplicantActions: "src/features/volunteering/ui/applicant/applicant-actions.tsx",
  ContactForm: "src/features/content/ui/contact/contact-form.tsx",
  FreshLink: "src/shared/links/ui/fresh-link.tsx",
  ChangePasswordPage: "src/features/accounts/ui/profile/change-password-page.tsx",
  EditProfilePage: "src/features/accounts/ui/profile/edit-profile-page.tsx",
  ProfilePage: "src/features/accounts/ui/profile/profile-page.tsx",
  LoginForm: "src/features/accounts/ui/entrance/login-form.tsx",
  RegisterForm: "src/features/accounts/ui/entrance/register-form.tsx",
  ResetForm: "src/features/accounts/ui/entrance/reset-form.tsx",
  VerifyEmail: "src/features/accounts/ui/entrance/verify-email.tsx",
  DonationPage: "src/features/donations/ui/donate/donation-page.tsx",
  SelectTickets: "src/features/tickets/ui/select/select-tickets.tsx",
  CheckoutPage: "src/features/tickets/ui/checkout/checkout-page.tsx",
  OrderPage: "src/features/tickets/ui/order/order-page.tsx",
  VolunteerForm: "src/features/volunteering/ui/apply/volunteer-form.tsx",
} as const satisfies Record<IslandName, string>;
