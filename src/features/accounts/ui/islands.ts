/** The interactive parts of the account pages, each loaded as a chunk of its own. */
export const accountIslands = {
  ChangePasswordPage: async () => (await import("./profile/change-password-page.tsx")).ChangePasswordPage,
  EditProfilePage: async () => (await import("./profile/edit-profile-page.tsx")).EditProfilePage,
  LoginForm: async () => (await import("./entrance/login-form.tsx")).LoginForm,
  ProfilePage: async () => (await import("./profile/profile-page.tsx")).ProfilePage,
  RegisterForm: async () => (await import("./entrance/register-form.tsx")).RegisterForm,
  ResetForm: async () => (await import("./entrance/reset-form.tsx")).ResetForm,
  VerifyEmail: async () => (await import("./entrance/verify-email.tsx")).VerifyEmail,
};
