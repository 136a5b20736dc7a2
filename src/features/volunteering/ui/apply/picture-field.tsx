import { type ChangeEvent, type ComponentProps, type ReactNode, useRef } from "react";
import { FieldError } from "#shared/ui/form-field.tsx";
import { preparePicture } from "./prepare-picture.ts";
import type { PictureName, Pictures } from "./use-pictures.ts";

const words = {
  photo: { chosen: "The photo you chose", remove: "Remove photo" },
  signature: { chosen: "The signature you chose", remove: "Remove signature" },
} as const satisfies Record<PictureName, { chosen: string; remove: string }>;

const ACCEPTED = "image/jpeg,image/png,image/webp";

type PictureFieldProps = {
  readonly name: PictureName;
  readonly label: string;
  readonly hint: string;
  readonly pictures: Pictures;
  /** Whether phones show a button for the camera. */
  readonly hasCamera?: true;
  /** Shown while there is no picture. */
  readonly instead?: ReactNode;
};

/** Chooses, previews and removes a picture (VOL-6). */
export function PictureField({ name, label, hint, pictures, hasCamera, instead }: PictureFieldProps) {
  const { picture, isOpening, fault } = pictures[name];
  const first = useRef<HTMLInputElement>(null);
  const take = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    if (file !== undefined) pictures.choose(name, preparePicture(file));
    // Allows choosing the same file again.
    target.value = "";
  };
  const described = {
    "aria-describedby": fault === undefined ? `${name}-hint` : `${name}-hint ${name}-error`,
    "aria-invalid": fault === undefined ? undefined : (true as const),
    accept: ACCEPTED,
    onChange: take,
  };
  return (
    <fieldset className={fault === undefined ? "field picture-field" : "field picture-field has-error"}>
      <legend className="legend">{label}</legend>
      <p className="hint" id={`${name}-hint`}>
        {hint}
      </p>
      <FieldError id={name} error={fault} />
      {picture === undefined ? (
        instead
      ) : (
        <figure className="chosen">
          {picture.preview !== undefined && <img src={picture.preview} alt={words[name].chosen} />}
          <figcaption>{`${picture.name}, ${formatBytes(picture.file.size)}`}</figcaption>
        </figure>
      )}
      <div className="row choose">
        <FileButton label={chooseLabel(name, picture !== undefined)} id={name} ref={first} {...described} />
        {hasCamera && <FileButton label="Take a photo" className="camera" capture="user" {...described} />}
        {picture !== undefined && (
          <button
            type="button"
            className="btn btn-danger"
            aria-label={words[name].remove}
            onClick={() => {
              pictures.remove(name);
              first.current?.focus();
            }}
          >
            Remove
          </button>
        )}
      </div>
      <p className="sr" role="status">
        {isOpening ? "Opening the picture…" : picture !== undefined && `${picture.name} is chosen.`}
      </p>
    </fieldset>
  );
}

function chooseLabel(name: PictureName, hasOne: boolean): string {
  if (hasOne) return "Choose another picture";
  return name === "photo" ? "Choose a photo" : "Upload a picture of it";
}

type FileButtonProps = ComponentProps<"input"> & { readonly label: string };

/** The browser's own control lies invisibly over the label, so that it is pressed, focused and named as usual. */
function FileButton({ label, className, ...input }: FileButtonProps) {
  return (
    <label className={className === undefined ? "btn btn-quiet file-btn" : `btn btn-quiet file-btn ${className}`}>
      {label}
      <input type="file" {...input} />
    </label>
  );
}

/** '2.3 MB', '290 kB'. */
function formatBytes(bytes: number): string {
  const kilobytes = Math.max(1, Math.round(bytes / 1000));
  return kilobytes < 1000 ? `${kilobytes} kB` : `${(kilobytes / 1000).toFixed(1)} MB`;
}
