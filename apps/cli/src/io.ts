/** A stream that text goes to, and bytes where a file is written to it. */
export interface Output {
  /** Returns `false` when more should wait for {@link Output.drained}, as Node's streams do. */
  write(text: string | Uint8Array): boolean;
  /** Resolves when what was written has left. */
  drained?(): Promise<void>;
  /** Whether a person looks at it, how wide that person's window is, and whether it shows colours. */
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  hasColors?(): boolean;
}

/** Signals that ask the command to end. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export type Signal = (typeof SIGNALS)[number];

/** All that a run of the command knows of the world around it, files aside. */
export interface Io {
  readonly stdin?: AsyncIterable<Uint8Array> | undefined;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder that relative paths start from. */
  readonly cwd: string;
  /** Milliseconds since some moment; by default, the clock of the process. */
  readonly now?: (() => number) | undefined;
  /**
   * Has `stop` called for each of {@link SIGNALS} that arrives, Ctrl-C among them, until the function that it returns
   * is called. Nothing else happens for a signal in between.
   */
  onSignal?(stop: (signal: Signal) => void): () => void;
}
