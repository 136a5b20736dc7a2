import type { Service, ServiceTextProps } from "./service-page.tsx";
import { Figures, Needs, Thread, YourGift } from "./service-parts.tsx";

export const ambulanceFund: Service = {
  title: "Ambulance Fund",
  description:
    "With over 1,800 ambulances, the fund closes the distance between a call for help and a hospital door. See what a gift pays for.",
  lede: "With over 1,800 ambulances on the road, the distance between a call and a hospital door gets shorter.",
  giveTo: "the Ambulance Fund",
  cause: "ambulance",
  Text,
};

function Text({ organisation }: ServiceTextProps) {
  return (
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
          [
            "The call",
            "Whoever picks up asks where, what happened, and who is there. Nobody asks who is going to pay.",
          ],
          [
            "The scene",
            "The crew looks to breathing and bleeding first, then lifts in a way that does no further harm.",
          ],
          [
            "The road",
            "The patient lies safely, with oxygen within reach and somebody beside them who is trained to watch.",
          ],
          [
            "The door",
            "The hospital hears what was seen and done. Then the vehicle is cleaned, filled up and free for the next call.",
          ],
        ]}
      />
      <h2>What a gift pays for</h2>
      <p>
        Most of what an ambulance costs is not the ambulance. It is being ready at every hour, also in those when nobody
        calls.
      </p>
      <Needs
        needs={[
          [
            "Fuel and tyres",
            "A vehicle with an empty tank is a parked van. This is the first need, and it never ends.",
          ],
          ["What is on board", "Stretchers, oxygen, dressings, splints: everything that is used has to be replaced."],
          ["Training", "First response, safe lifting and calm driving, learned once and practised often."],
          ["Workshops", "Regular servicing, because a breakdown on the way is the one thing that cannot be made good."],
          ["New vehicles", "For those worn out, and for districts where the nearest one is still too far away."],
        ]}
      />
      <YourGift organisation={organisation}>Choose the ambulance cause, and that is where it stays.</YourGift>
    </>
  );
}
