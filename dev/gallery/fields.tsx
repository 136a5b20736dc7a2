import { describedBy, Field, TextField } from "#shared/ui/form-field.tsx";
import { MoneyField } from "#shared/ui/form-money.tsx";
import { NumberStepper } from "#shared/ui/form-number-stepper.tsx";
import { Part, Sample } from "./part.tsx";

/** The page has no script: what is typed stays with the browser. */
const asItIs = () => {};

const optional = (label: string) => (
  <>
    {label} <span className="opt">(optional)</span>
  </>
);

export function Fields() {
  return (
    <Part id="fields" title="Form fields">
      <div className="pairs">
        <Sample title="Text">
          <TextField id="empty" label="First name" autoComplete="off" />
          <TextField id="filled" label="Last name" defaultValue="Raza" autoComplete="off" />
          <TextField id="focus" label="With focus" defaultValue="Amina" className="focused" autoComplete="off" />
          <TextField
            id="hinted"
            label="Email"
            hint="We send the receipt there."
            placeholder="you@example.com"
            type="email"
            autoComplete="off"
          />
          <TextField id="optional" label={optional("Mobile number")} type="tel" className="w-md" autoComplete="off" />
          <TextField id="read-only" label="Country" defaultValue="Australia" readOnly className="w-sm" />
        </Sample>
        <Sample title="Errors">
          <TextField
            id="wrong"
            label="Post code"
            error="Post code must be four digits"
            defaultValue="21"
            className="w-xs num"
            autoComplete="off"
          />
          <TextField
            id="wrong-hinted"
            label="Email"
            hint="We send the receipt there."
            error="Invalid email format"
            defaultValue="amina@"
            autoComplete="off"
          />
          <WrongSelect />
          <MoneyField
            id="wrong-money"
            label="Your amount"
            error="Enter an amount of at least $5.00"
            value="2"
            onChange={asItIs}
          />
        </Sample>
      </div>
      <div className="pairs">
        <Sample title="Money, numbers, amounts">
          <MoneyField
            id="money"
            label="Your amount"
            hint="Choose one below or enter another."
            value="50"
            onChange={asItIs}
          />
          <Amounts />
          <NumberStepper id="goats" label="Goats" unit="goat" value="1" minimum={1} maximum={999} onChange={asItIs} />
          <NumberStepper
            id="seats"
            label="Standard seat"
            unit="standard seat"
            hint="$50.00 each"
            value="4"
            minimum={0}
            maximum={8}
            onChange={asItIs}
          />
        </Sample>
        <Sample title="Longer texts, files, lists">
          <Field id="message" label="Message" hint="Up to 2,000 letters.">
            <textarea className="textarea" {...describedBy({ id: "message", hint: true })} />
          </Field>
          <Field id="country" label="State">
            <select className="select w-md" id="country">
              <option>New South Wales</option>
              <option>Victoria</option>
            </select>
          </Field>
          <Field id="file" label="Photo" hint="A JPEG, PNG or WebP file of up to 10 MB.">
            <input className="input" type="file" accept="image/*" {...describedBy({ id: "file", hint: true })} />
          </Field>
        </Sample>
      </div>
      <Choices />
    </Part>
  );
}

function WrongSelect() {
  const described = { id: "wrong-select", error: "Choose a category" };
  return (
    <Field label="Donation category" {...described}>
      <select className="select w-md" {...describedBy(described)}>
        <option>Choose a category</option>
      </select>
    </Field>
  );
}

function Amounts() {
  return (
    <fieldset className="field">
      <legend className="legend">Amount (AUD)</legend>
      <div className="chips">
        {[25, 50, 100, 250].map((amount) => (
          <label className="chip" key={amount}>
            <input type="radio" name="amount" defaultChecked={amount === 50} />
            <span>${amount}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Choices() {
  return (
    <Sample title="Choices">
      <div className="pairs">
        <div>
          <fieldset className="field">
            <legend className="legend">How shall we reach you?</legend>
            <label className="check">
              <input type="radio" name="reach" defaultChecked />
              <span>Email</span>
            </label>
            <label className="check">
              <input type="radio" name="reach" />
              <span>SMS</span>
            </label>
            <label className="check">
              <input type="checkbox" defaultChecked />
              <span>
                Donate anonymously<span className="hint">We still need an email to send the receipt.</span>
              </span>
            </label>
            <label className="check">
              <input type="checkbox" />
              <span>Send me the newsletter</span>
            </label>
          </fieldset>
        </div>
        <div>
          <fieldset className="field">
            <legend className="legend">Payment method</legend>
            <label className="check choice">
              <input type="radio" name="method" defaultChecked />
              <span>
                Credit card<span className="hint">Adds 1.5 %</span>
              </span>
            </label>
            <label className="check choice">
              <input type="radio" name="method" />
              <span>
                PayPal<span className="hint">Adds 3 %</span>
              </span>
            </label>
          </fieldset>
        </div>
      </div>
    </Sample>
  );
}
