/** The interactive parts of the content pages, each loaded as a chunk of its own. */
export const contentIslands = {
  ContactForm: async () => (await import("./contact/contact-form.tsx")).ContactForm,
};
