/** The columns of a row that has a file: its bytes, or which object of the bucket has them. */
export type StoredFile = {
  readonly bytes: Buffer | null;
  /** A UUID of its own for each row. */
  readonly object_key: string | null;
  readonly object_sha256: Buffer | null;
  readonly object_bytes: number | null;
};

/** All of them, to select. */
export const storedFile = ["bytes", "object_key", "object_sha256", "object_bytes"] as const;

/** Where the files of rows are: in the database, or in a bucket (`images/files/`). */
export type Files = {
  /** @throws AppError `files_away` if the bucket does not answer, or has other bytes than the row says. */
  read(row: StoredFile): Promise<Buffer>;
  /**
   * The columns for new rows, in the same order. Call it before the transaction that writes them, which must commit
   * within some minutes: an object that no row refers to by then is deleted.
   * @throws AppError `files_away` if the bucket does not take them.
   */
  write(files: readonly Buffer[]): Promise<StoredFile[]>;
  /** Whether it was thrown because a file could not be read or written. */
  isAway(error: unknown): boolean;
};

/** SQL for how many files are where, and how many bytes they have: `inDatabase`, `databaseBytes`, `inBucket`, `bucketBytes`. */
export const countFiles = `
  select count(*) filter (where object_key is null)::float8 as "inDatabase",
         coalesce(sum(length(bytes)), 0)::float8 as "databaseBytes",
         count(object_key)::float8 as "inBucket",
         coalesce(sum(object_bytes), 0)::float8 as "bucketBytes"
    from (select bytes, object_key, object_bytes from image_variants
          union all select bytes, object_key, object_bytes from image_originals
          union all select bytes, object_key, object_bytes from private_files) as files`;

export type FileCounts = {
  readonly inDatabase: number;
  readonly databaseBytes: number;
  readonly inBucket: number;
  readonly bucketBytes: number;
};
