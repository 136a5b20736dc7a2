import { SeenCaptcha } from "#shared/captcha/ui/seen-captcha.tsx";
import { formatList } from "#shared/language.ts";
import { FormRefusal } from "#shared/ui/form-error-summary.tsx";
import { availabilityWords, labels } from "../../application.ts";
import { type ApplicationStep, fieldsOfStep } from "../../steps.ts";
import { ContactWays } from "./contact-ways.tsx";
import type { LazyStepsProps } from "./lazy-steps-props.ts";
import { PictureField } from "./picture-field.tsx";
import { SignaturePad } from "./signature-pad.tsx";
import type { ApplicationForm } from "./use-application.ts";

const KINDS = "JPEG, PNG or WebP.";

/** Step 4: photo, signature, and a review before it is sent (VOL-6). */
export function ImageStep({ form, organisation }: Omit<LazyStepsProps, "places">) {
  const { pictures, captcha, setup, refusal, shownAt } = form;
  return (
    <>
      <PictureField
        name="photo"
        label={labels.photo}
        hint={`A photo that shows your face. ${KINDS}`}
        pictures={pictures}
        hasCamera
      />
      <PictureField
        name="signature"
        label={labels.signature}
        hint={`Sign below with your finger, mouse or pen, or upload a picture of your signature: ${KINDS}`}
        pictures={pictures}
        instead={<SignaturePad strokes={pictures.strokes} onDraw={pictures.draw} />}
      />
      <p className="muted small">
        Both are private: only staff who look after volunteers see them. We delete them if you withdraw, and some time
        after an application is declined.
      </p>
      <Review form={form} />
      <SeenCaptcha captcha={captcha} setup={setup} action="volunteer" />
      {refusal !== undefined && (
        <FormRefusal text={refusal} shownAt={shownAt} className="not-sent">
          <p>
            We have kept what you entered, with your photo and signature. You can also reach us by{" "}
            <ContactWays organisation={organisation} />.
          </p>
          <p>
            <button type="submit" className="btn btn-quiet">
              Try again
            </button>
          </p>
        </FormRefusal>
      )}
    </>
  );
}

const parts = {
  1: { title: "Personal details", change: "Change personal details" },
  2: { title: "Skills", change: "Change skills" },
  3: { title: "Emergency contact", change: "Change emergency contact" },
} as const satisfies Partial<Record<ApplicationStep, { title: string; change: string }>>;

/** What was typed, and a button to change each part. */
function Review({ form }: { form: ApplicationForm }) {
  return (
    <div className="review">
      <h3>Check what you entered, then submit</h3>
      {([1, 2, 3] as const).map((step) => (
        <section className="block" key={step} aria-labelledby={`review-${step}`}>
          <div className="block-head">
            <h4 id={`review-${step}`}>{parts[step].title}</h4>
            <button
              type="button"
              className="link-btn"
              aria-label={parts[step].change}
              onClick={() => form.change(step)}
            >
              Change
            </button>
          </div>
          <dl className="sum">
            {fieldsOfStep[step].map((name) => (
              <div key={name}>
                <dt>{labels[name]}</dt>
                <dd>
                  <EnteredValue value={name === "availability" ? wordsFor(form.value(name)) : form.value(name)} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

/** What the choice means (VOL-3). */
const wordsFor = (availability: string) => availabilityWords[availability as keyof typeof availabilityWords];

/** `bdi` isolates names in any script; in longer texts each line has its own direction. */
function EnteredValue({ value }: { value: string | readonly string[] }) {
  const text = typeof value === "string" ? value.trim() : formatList(value, "comma");
  if (text === "") return <span className="muted">Nothing entered</span>;
  return text.length > 100 ? <div dir="auto">{text}</div> : <bdi>{text}</bdi>;
}
