import { lacksWords, wordsNeeded } from "#shared/images/picture-words.ts";
import { type ContentData, type ContentField, optionalPicture, picture, pictureInWords, tick } from "./kind.ts";

const pictureHint = "From the library of pictures, or added there now.";

const needsWords = ({ image, image_decorates }: ContentData) =>
  typeof image === "string" && lacksWords(image, { image_words: "", image_decorates: image_decorates === true });

/** What a picture says to people who cannot see it. */
const pictureSays: readonly ContentField[] = [
  {
    name: "image_words",
    label: "The picture in words",
    input: "line",
    rule: pictureInWords,
    hint: "For people who cannot see it: what it shows here, in a sentence.",
    needed: wordsNeeded,
    isNeeded: needsWords,
  },
  {
    name: "image_decorates",
    label: "Or no words",
    input: "tick",
    rule: tick,
    hint: "It only decorates: the text beside it says the same.",
  },
];

export const neededPicture: readonly ContentField[] = [
  {
    name: "image",
    label: "Picture",
    input: "picture",
    rule: picture,
    hint: pictureHint,
    needed: "Choose a picture before you publish.",
  },
  ...pictureSays,
];

export const pictureOrNone: readonly ContentField[] = [
  {
    name: "image",
    label: "Picture",
    input: "picture",
    rule: optionalPicture,
    hint: `${pictureHint} Empty for none.`,
  },
  ...pictureSays,
];
