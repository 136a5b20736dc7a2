export const volunteeringIslands = {
  ApplicantActions: async () => (await import("./applicant/applicant-actions.tsx")).ApplicantActions,
  ApplicantShifts: async () => (await import("./applicant/applicant-shifts.tsx")).ApplicantShifts,
  VolunteerForm: async () => (await import("./apply/volunteer-form.tsx")).VolunteerForm,
};
