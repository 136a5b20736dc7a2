import { type ReactNode, useEffect, useRef } from "react";
import { SeenCaptcha } from "#shared/captcha/ui/seen-captcha.tsx";
import { Icon } from "#shared/ui/icon.tsx";
import { labels } from "../../application.ts";
import { fieldsOfStep, type Step } from "../../steps.ts";
import type { LaterStepsProps } from "./later-steps-props.ts";
import { PictureField } from "./picture-field.tsx";
import { SignaturePad } from "./signature-pad.tsx";
import type { ApplicationForm } from "./use-application.ts";
import { Ways } from "./ways.tsx";

const KINDS = "JPEG, PNG or WebP, at most 10 MB.";

/** Step 4: photo, signature, and all of it once more before it is sent (VOL-6). */
export function ImageStep({ form, organisation }: Omit<LaterStepsProps, "places">) {
  const { pictures, captcha, setup, refusal, shownAt } = form;
  return (
    <>
      <PictureField
        name="photo"
        label={labels.photo}
        hint={`A picture that shows your face. ${KINDS}`}
        pictures={pictures}
        hasCamera
      />
      <PictureField
        name="signature"
        label={labels.signature}
        hint={`Sign below with a finger, the mouse or a pen, or upload a picture of your signature: ${KINDS}`}
        pictures={pictures}
        instead={<SignaturePad strokes={pictures.strokes} onDraw={pictures.draw} />}
      />
      <p className="muted small">
        Both are private: only those of our team who look after volunteers see them. They are deleted if you withdraw,
        and some time after an application is declined.
      </p>
      <Review form={form} />
      <SeenCaptcha captcha={captcha} setup={setup} action="volunteer" />
      {refusal !== undefined && (
        <Refusal says={refusal} shownAt={shownAt}>
          What you entered is kept, with your photo and signature. You can also reach us by{" "}
          <Ways organisation={organisation} />.
        </Refusal>
      )}
    </>
  );
}

const titles = { 1: "Personal details", 2: "Skills", 3: "Emergency contact" } as const satisfies Partial<
  Record<Step, string>
>;

/** What was typed, each part with its way to change it. */
function Review({ form }: { form: ApplicationForm }) {
  return (
    <div className="review">
      <h3>Check what you entered, then submit</h3>
      {([1, 2, 3] as const).map((step) => (
        <section className="block" key={step} aria-labelledby={`review-${step}`}>
          <div className="block-head">
            <h4 id={`review-${step}`}>{titles[step]}</h4>
            <button type="button" className="link-btn" onClick={() => form.change(step)}>
              Change <span className="sr">{titles[step].toLowerCase()}</span>
            </button>
          </div>
          <dl className="sum">
            {fieldsOfStep[step].map((name) => (
              <div key={name}>
                <dt>{labels[name]}</dt>
                <dd>
                  <Said value={form.value(name)} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

/** Names in any script among ours; of longer texts each line runs its own way. */
function Said({ value }: { value: string | readonly string[] }) {
  const text = typeof value === "string" ? value.trim() : value.join(", ");
  if (text === "") return <span className="muted">Nothing entered</span>;
  return text.length > 100 ? <div dir="auto">{text}</div> : <bdi>{text}</bdi>;
}

/** Why it did not go; takes focus each time it is said. */
function Refusal({ says, shownAt, children }: { says: string; shownAt: number; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal takes focus anew
  useEffect(() => box.current?.focus(), [shownAt]);
  return (
    <div className="error-summary not-sent" role="alert" tabIndex={-1} ref={box}>
      <p className="err">
        <Icon name="alert" />
        <span>{says}</span>
      </p>
      <p>{children}</p>
      <p>
        <button type="submit" className="btn btn-quiet">
          Try again
        </button>
      </p>
    </div>
  );
}
