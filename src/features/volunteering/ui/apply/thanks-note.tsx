import { Icon } from "#shared/ui/icon.tsx";
import { useFocus } from "#shared/ui/use-focus.ts";
import { ContactWays, type OrganisationContact } from "./contact-ways.tsx";
import type { Thanks } from "./draft-storage.ts";

/** Confirms that an application was received, with its reference, and takes focus (VOL-10). */
export function ThanksNote({ thanks, organisation }: { thanks: Thanks; organisation: OrganisationContact }) {
  return (
    <div className="note good vol-thanks" role="status" tabIndex={-1} ref={useFocus<HTMLDivElement>(thanks)}>
      <Icon name="check" />
      <div>
        <h2>Thank you. We have your application.</h2>
        <p>
          Its reference is <b>{thanks.reference}</b>. We are sending a confirmation to <b>{thanks.email}</b>, with a
          link to check the status of your application. One of our team will be in touch. If you have a question, reach
          us by <ContactWays organisation={organisation} />.
        </p>
      </div>
    </div>
  );
}
