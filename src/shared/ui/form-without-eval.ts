import { z } from "zod";

// zod compiles its object parsers with `new Function`, which the content security policy refuses and reports. Every
// island with a schema imports this module before anything that builds one.
z.config({ jitless: true });
