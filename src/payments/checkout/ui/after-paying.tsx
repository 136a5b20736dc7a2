import { paths } from "#shared/paths.ts";
import { showToast } from "#shared/ui/feedback.ts";
import { Icon } from "#shared/ui/icon.tsx";
import { type KnownPerson, keepKnownPerson } from "#shared/ui/known-person.ts";
import { findHint } from "#shared/ui/session-record.ts";

type AfterPayingProps = {
  /** Filled in for a guest who opens an account. */
  readonly person: KnownPerson;
  /** What an account is good for. */
  readonly benefit: string;
  /** What somebody might write to a friend, without the address. */
  readonly message: string;
  /** The page that is shared. */
  readonly path: string;
};

/** What a thank-you page offers: an account to a guest, and to tell others (DON-28). */
export function AfterPaying({ person, benefit, message, path }: AfterPayingProps) {
  const keep = () => keepKnownPerson(person);
  return (
    <>
      {findHint() === undefined && (
        <div className="offer on-screen">
          <h2>Create an account</h2>
          <p>{benefit} Your details are filled in; you choose a password.</p>
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

/** The device's own way to share; elsewhere a link to copy, to email or to send by WhatsApp. */
function Share({ message, url }: { message: string; url: string }) {
  if ("share" in navigator) {
    // Whoever closes the device's list of apps has not shared, which is no error.
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
      () => showToast(`Your browser did not let us copy. The link is ${url}`, "bad"),
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
