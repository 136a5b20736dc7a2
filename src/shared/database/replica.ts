/**
 * Where a database is in its stream of changes (WAL, in bytes), and which it is: the cluster, the database in it, and the
 * timeline, which changes when a replica is made the primary.
 */
export type Position = {
  readonly system: string;
  readonly database: string;
  readonly timeline: number;
  readonly isReplica: boolean;
  readonly bytes: number;
};

const identity = `(select system_identifier::text from pg_control_system()) as system,
  (select oid::text from pg_database where datname = current_database()) as database,
  pg_is_in_recovery() as "isReplica"`;

/** What was committed before is on the primary's disk below `bytes`. It fails on a replica. */
export const primaryPosition = `select ${identity},
  ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer as timeline,
  pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes`;

/** What reads on the replica see is everything below `bytes`. After a failover its timeline may be late, never early. */
export const replicaPosition = `select ${identity},
  (select timeline_id from pg_control_checkpoint()) as timeline,
  pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 as bytes`;

/**
 * Why the database at DATABASE_READ_URL must not be read, as a sentence; null if it is a replica of the primary. Such a
 * replica has the primary's migrations, because it has all of its bytes.
 */
export function refuseReplica(replica: Position, primary: Position): string | null {
  if (!replica.isReplica) return "DATABASE_READ_URL is not a replica: its database takes writes.";
  const isSame =
    replica.system === primary.system && replica.database === primary.database && replica.timeline === primary.timeline;
  return isSame ? null : "DATABASE_READ_URL is a replica of another database than the site's.";
}
