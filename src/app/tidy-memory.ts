/**
 * Pictures are opened by one thread and then another. Left to itself the C library keeps what each of them took, for good:
 * hundreds of megabytes. With one store for all threads it is used again; the setting is read before a process's first line.
 */
export const tidyMemory = { MALLOC_ARENA_MAX: "1" } as const;
