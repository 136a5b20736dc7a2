import { type KnownPerson, keepKnownPerson } from "#payments/checkout/ui/known-person.ts";
import { paths } from "#shared/paths.ts";
import { showToast } from "#shared/ui/feedback.ts";
import { Icon } from "#shared/ui/icon.tsx";
import { findHint } from "#shared/ui/session-record.ts";

type AfterPayingProps = {
  /** Prefills the registration form. */
  readonly person: KnownPerson;
  /** Why to create an account. */
  readonly benefit: string;
  /** A message to a friend, without the address. */
  readonly message: string;
  /** The page to share. */
  readonly path: string;
};

/** Offers guests an account, and everyone a way to tell others (DON-28). */
export function AfterPaying({ person, benefit, message, path }: AfterPayingProps) {
  const keep = () => keepKnownPerson(person);
  return (
    <>
      {findHint() === undefined && (
        <div className="offer on-screen">
          <h2>Create an account</h2>
          <p>{benefit} We’ve filled in your name and email.</p>
          <p>
            <a className="btn btn-quiet" href={paths.register} onClick={keep} onAuxClick={keep}>
              <Icon name="user" />
              Create an account
            </a>
          </p>
        </div>
      )}
      <div className="offer on-screen">
        <h2>Tell others</h2>
        <Share message={message} url={location.origin + path} />
      </div>
    </>
  );
}

/** The device's share sheet if there is one, otherwise links to copy, email or send by WhatsApp. */
function Share({ message, url }: { message: string; url: string }) {
  if ("share" in navigator) {
    // Closing the share sheet without sharing is not an error.
    const share = () => navigator.share({ text: message, url }).catch(() => undefined);
    return (
      <button type="button" className="btn btn-quiet" onClick={share}>
        Share
      </button>
    );
  }
  const copy = () =>
    navigator.clipboard.writeText(url).then(
      () => showToast("Copied the link"),
      () => showToast(`We couldn’t copy it. The link is ${url}`, "bad"),
    );
  const text = encodeURIComponent(`${message} ${url}`);
  return (
    <div className="form-actions">
      <button type="button" className="btn btn-quiet" onClick={copy}>
        <Icon name="copy" />
        Copy link
      </button>
      <a className="btn btn-quiet" href={`mailto:?body=${text}`}>
        <Icon name="mail" />
        Email
      </a>
      <a className="btn btn-quiet" href={`https://wa.me/?text=${text}`} target="_blank" rel="noopener noreferrer">
        WhatsApp <span className="sr">(opens in a new tab)</span>
      </a>
    </div>
  );
}
