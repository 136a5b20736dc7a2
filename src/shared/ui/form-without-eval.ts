import { z } from "zod";

// zod compiles object parsers with `new Function`, which the content security policy blocks. Import this module before
// any that builds a schema.
z.config({ jitless: true });
