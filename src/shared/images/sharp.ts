import sharp from "sharp";

// Import this module only when it is needed: it takes 20 MB and would slow the start.

// Blocks all other formats of libvips (SVG, PDF, TIFF …) for the whole process.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: ["VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadWebp"] });
// Each picture is processed only once, so a cache would waste memory.
sharp.cache(false);

export { sharp };
