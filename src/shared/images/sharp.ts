import sharp from "sharp";

// Everything else that libvips can open (SVG, PDF, TIFF, its own formats …) is shut for the whole process, whoever asks.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: ["VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadWebp"] });
// Every picture is worked on once: remembered operations would only hold memory.
sharp.cache(false);

export { sharp };
