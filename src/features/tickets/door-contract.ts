/** A phone sends this many scans at a time. */
export const MAX_SCANS = 200;

/** A scan as its phone keeps and sends it. */
export type DoorScan = {
  /** A UUID. */
  readonly id: string;
  /** The ticket's, as in its QR code: 16 hexadecimal digits. */
  readonly serial: string;
  /** The scan that this one undoes. */
  readonly undoes: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
};

/** What a phone sends: its new scans, and what it knows already. */
export type DoorSync = {
  readonly scans: readonly DoorScan[];
  /** The phone's clock at this moment. */
  readonly sentAt: number;
  /** The number of the last scan that it knows; 0 at first. */
  readonly after: number;
  /** The version of the list that it has; empty at first. */
  readonly version: string;
};

export type DoorTicket = {
  readonly serial: string;
  /** As printed on the ticket: 'K7Q2-M9XW'. */
  readonly number: string;
  /** Empty if nobody is named. */
  readonly holder: string;
  readonly typeId: number;
  /** The same for the tickets of one order. */
  readonly order: number;
  readonly cancelledAt: number | null;
};

/** What a phone needs to check tickets without a network. */
export type DoorList = {
  readonly version: string;
  readonly event: { readonly id: number; readonly title: string; readonly timeZone: string };
  /** The key that signs tickets: Ed25519, raw, base64url. */
  readonly publicKey: string;
  readonly types: readonly { readonly id: number; readonly title: string }[];
  readonly tickets: readonly DoorTicket[];
  readonly otherEvents: readonly { readonly id: number; readonly title: string; readonly day: string }[];
};

/** A scan of any phone, as the server has it. */
export type KnownScan = DoorScan & { readonly phone: string; readonly isMine: boolean };

export type DoorSyncAnswer = {
  /** The server's clock. */
  readonly now: number;
  /** Where the phone stands. */
  readonly phone: string;
  /** Null if the phone has this version already. */
  readonly list: DoorList | null;
  /** Scans after the one that the phone knew, in the order of their arrival, its own among them. */
  readonly scans: readonly KnownScan[];
  readonly after: number;
  /** The ids of scans whose ticket the server does not have. */
  readonly unknown: readonly string[];
};
