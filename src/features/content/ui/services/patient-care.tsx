import type { Service } from "./service-page.tsx";
import { Drawing, Facets, Questions } from "./service-parts.tsx";

export const patientCare: Service = {
  title: "Patient Care",
  description:
    "Hospitals, clinics and mobile dispensaries where treatment and medicine cost the patient nothing. See how it works.",
  lede: "Hospitals, clinics and mobile dispensaries where treatment and medicine cost the patient nothing.",
  giveTo: "patient care",
  cause: "patient-care",
  donation: "Choose patient care, and it goes to hospitals, clinics and dispensaries.",
  text: (
    <>
      <p className="opening">
        An illness costs twice: once at the hospital, and once in wages that are not earned. Many people therefore wait
        until an easy treatment has become a hard one. Care that is free at the door is care that begins in time.
      </p>
      <h2>Three ways to a doctor</h2>
      <Facets
        facets={[
          ["Hospitals", "For births, operations and all that needs a bed, a laboratory and somebody awake all night."],
          ["Clinics", "For fevers, check-ups, vaccinations and long illnesses, a walk away from where people live."],
          [
            "Mobile dispensaries",
            "For villages without either: a doctor, a dispenser and a cupboard of medicine on wheels.",
          ],
        ]}
      />
      <h2>How a patient is received</h2>
      <p>
        The person comes first, then the paperwork. Somebody listens, asks, examines, and explains the findings in the
        patient’s own language. Patients who can be treated straight away are; the others are referred, with a name and
        a date instead of a guess.
      </p>
      <Drawing name="news-medical-camp" caption="Where there is no clinic, a tent is one for the day." />
      <h2>What your gift pays for</h2>
      <ul>
        <li>Medicine and dressings, bought by their generic names wherever that is just as good.</li>
        <li>Tests: blood, X-ray and ultrasound, so that treatment rests on more than a glance.</li>
        <li>The people: doctors, nurses, midwives, dispensers, cleaners, drivers.</li>
        <li>The building: clean water, light that stays on, and beds with fresh sheets.</li>
      </ul>
      <h2>Questions that donors ask</h2>
      <Questions
        questions={[
          [
            "Who decides who is treated?",
            "Medical need alone. Nobody is asked about faith, origin, party or papers before they are seen.",
          ],
          [
            "Can I give for one particular patient?",
            "No. Patients’ names and illnesses are private and stay within the hospital. Your gift joins those of others and is there when the next patient comes.",
          ],
          [
            "Can I send medicine or equipment?",
            "Please ask us first. Medicine has to be registered and in date, and a machine needs parts and people who can repair it. A gift of money buys what is missing, close to where it is needed.",
          ],
        ]}
      />
    </>
  ),
};
