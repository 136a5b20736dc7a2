import { donationTo } from "#shared/paths.ts";
import { Icon } from "#shared/ui/icon.tsx";

const gifts = [
  { title: "Schools and Dastarkhwan", cause: "education", image: "school-outdoor-class" },
  { title: "Hospitals and Clinics", cause: "patient-care", image: "hospital" },
  { title: "Homes", cause: "homes", image: "homes-courtyard" },
];

/** The three 'Donate to' cards (HOME-2). */
export function GiftCards() {
  return (
    <section className="gifts" aria-labelledby="gifts-title">
      <div className="strip-ajrak" aria-hidden="true" />
      <div className="wrap">
        <h2 id="gifts-title" className="sr">
          Choose where your donation goes
        </h2>
        <div className="gift-row">
          {gifts.map(({ title, cause, image }) => (
            <a key={title} className={`gift gift-${image}`} href={donationTo(cause)}>
              <span className="jharokha arch">
                <img
                  className="jharokha"
                  src={`/identity/illustrations/${image}.svg`}
                  alt=""
                  width={800}
                  height={600}
                />
              </span>
              <span className="lab">
                <small>Donate to </small>
                <b>{title}</b>
                <span className="go" aria-hidden="true">
                  <Icon name="right" />
                </span>
              </span>
            </a>
          ))}
        </div>
      </div>
    </section>
  );
}
