import type { Service } from "./service-page.tsx";
import { Figures, Needs, Thread } from "./service-parts.tsx";

export const ambulanceFund: Service = {
  title: "Ambulance Fund",
  description:
    "With over 1,800 ambulances, the fund closes the distance between a call for help and a hospital door. See what a gift pays for.",
  lede: "With over 1,800 ambulances on the road, the distance between a call and a hospital door gets shorter.",
  giveTo: "the Ambulance Fund",
  cause: "ambulance",
  donation: "Choose the ambulance cause, and your gift stays with the Ambulance Fund.",
  text: (
    <>
      <p className="opening">
        When somebody is hurt on a highway, or a labour begins in a village without a clinic, what happens next is a
        question of distance. The fund pays for whatever makes that distance short: vehicles, the people in them, and
        what they carry.
      </p>
      <Figures figures={[["1,800+", "ambulances, in cities, along highways and in the mountains"]]} />
      <h2>From the call to the hospital door</h2>
      <Thread
        as="road"
        steps={[
          ["The call", "The person who answers asks where, what happened, and who is there. Nobody asks who will pay."],
          [
            "The scene",
            "The crew checks breathing and bleeding first, then lifts the patient without doing further harm.",
          ],
          [
            "The road",
            "The patient lies safely, with oxygen within reach and somebody beside them who is trained to watch.",
          ],
          [
            "The door",
            "The crew tells the hospital what they saw and did. Then the vehicle is cleaned, refuelled and ready for the next call.",
          ],
        ]}
      />
      <h2>What a gift pays for</h2>
      <p>
        Most of what an ambulance costs is not the vehicle. It is being ready at every hour, even when nobody calls.
      </p>
      <Needs
        needs={[
          [
            "Fuel and tyres",
            "A vehicle with an empty tank is a parked van. This is the first need, and it never ends.",
          ],
          ["What is on board", "Stretchers, oxygen, dressings, splints: everything that is used has to be replaced."],
          ["Training", "First response, safe lifting and calm driving, learned once and practised often."],
          ["Workshops", "Regular servicing, because a breakdown on the way is the one thing that cannot be put right."],
          ["New vehicles", "To replace worn-out ones, and for districts where the nearest one is still too far away."],
        ]}
      />
    </>
  ),
};
