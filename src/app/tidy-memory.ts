/**
 * Settings that a process reads before its first line. Pictures are opened by one thread and then another, and left to
 * itself the C library keeps what each of them took, for good: hundreds of megabytes; with one store for all threads it is
 * used again. V8 sizes its heap by the machine's memory and lets it grow to several times what is in use before it
 * collects: under 500 clients to 600 MB, where with these limits 350 MB do, as fast (A5). About 60 MB are in use.
 */
export const tidyMemory = {
  MALLOC_ARENA_MAX: "1",
  NODE_OPTIONS: "--max-old-space-size=768 --max-semi-space-size=32",
} as const;
