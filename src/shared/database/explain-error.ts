/** Of PostgreSQL. */
export const MIN_VERSION = 15;

const CORRECT = "Start it, or correct DATABASE_URL.";

/** By PostgreSQL's or the network's code. The reason comes first, then what the operator can do. */
const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: `Nothing answers at the address in DATABASE_URL. ${CORRECT}`,
  ECONNRESET: `The database broke the connection off. ${CORRECT}`,
  EHOSTUNREACH: `The machine in DATABASE_URL cannot be reached. ${CORRECT}`,
  ENETUNREACH: `The machine in DATABASE_URL cannot be reached. ${CORRECT}`,
  ETIMEDOUT: `The database does not answer. ${CORRECT}`,
  ENOTFOUND: "There is no machine of the name in DATABASE_URL. Correct it.",
  EAI_AGAIN: "The name of the machine in DATABASE_URL cannot be looked up. Correct it, or the machine's DNS.",
  ENOENT:
    "There is no socket of a database at the address in DATABASE_URL. Start the database, or correct the address.",
  ERR_INVALID_URL: "DATABASE_URL cannot be read. Write signs such as / # ? of the password as %2F %23 %3F.",
  "28P01": "The database refuses the user or the password in DATABASE_URL. Correct them.",
  "28000": "The database refuses the user in DATABASE_URL. Correct it, or the server's pg_hba.conf.",
  "3D000": "The database server has no database of the name in DATABASE_URL. Create it, or correct the name.",
  "25006": "The database in DATABASE_URL only reads. Name one that takes writes.",
  "42501": "The user in DATABASE_URL lacks a right. Make it the owner of the database, then start again.",
  "53100": "The disk of the database is full. Make room, then start again.",
  "53300": "The database has no connection left. Raise its max_connections, or end what uses them.",
  "57P03": "The database is starting or stopping. Wait a moment, then start again.",
};

const connectTimeout = /^timeout expired$|connection timeout$/;

/** Whether a connection was not open in time, by what the client for PostgreSQL says. */
export const isConnectTimeout = ({ message }: Error) => connectTimeout.test(message);

/** By what the client for PostgreSQL says, where it gives no code. */
const messages: readonly (readonly [RegExp, string])[] = [
  [connectTimeout, `The database does not answer. ${CORRECT}`],
  [
    /^Connection terminated unexpectedly/,
    "What answers at the address in DATABASE_URL broke the connection off, as a program does that is no PostgreSQL. Correct DATABASE_URL.",
  ],
  [
    /^The server does not support SSL connections/,
    "The database does not encrypt, and DATABASE_URL asks for it. Switch that on there, or remove sslmode.",
  ],
];

/**
 * What an operator reads about an error of a database at DATABASE_URL: a sentence that says what to do if the error or
 * what it was caused by is a usual one, else its own message. Never the address, which has a password.
 */
function explainDatabaseError(error: unknown): string {
  for (let one = error; one instanceof Error; one = one.cause) {
    const { code } = one as { code?: string };
    const sentence = code === undefined ? undefined : sentences[code];
    // The files of the site itself can be missing too.
    if (sentence !== undefined && (code !== "ENOENT" || "address" in one)) return sentence;
    const other = messages.find(([message]) => message.test(one.message));
    if (other !== undefined) return other[1];
  }
  return (error as Error).message;
}

/** For `catch`. @throws Error with that text, caused by the given one */
export function throwExplained(cause: unknown): never {
  throw new Error(explainDatabaseError(cause), { cause });
}
