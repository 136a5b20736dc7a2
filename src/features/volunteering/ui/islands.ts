export const volunteeringIslands = {
  ApplicantActions: async () => (await import("./applicant/applicant-actions.tsx")).ApplicantActions,
  VolunteerForm: async () => (await import("./apply/volunteer-form.tsx")).VolunteerForm,
};
