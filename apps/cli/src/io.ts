/** A stream for text, and for bytes if a file is written to it. */
export interface Output {
  /** Returns `false` if the caller should wait for {@link Output.drained}, as Node's streams do. */
  write(text: string | Uint8Array): boolean;
  /** Resolves when everything has been written out. */
  drained?(): Promise<void>;
  /** Whether it is a terminal, how wide that is, and whether it shows colours. */
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  hasColors?(): boolean;
}

/** Bytes that come in. */
export interface Input extends AsyncIterable<Uint8Array> {
  /** Closes it, even while it is being read, as Node's streams do. */
  destroy?(): unknown;
}

/** Signals that ask the command to end. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** One of {@link SIGNALS}, or `SIGPIPE`: nobody reads stdout any more. Node knows this from its errors alone. */
export type Signal = (typeof SIGNALS)[number] | 'SIGPIPE';

/** Everything that a run of the command knows about the world around it, except files. */
export interface Io {
  readonly stdin?: Input | undefined;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder that relative paths start from. */
  readonly cwd: string;
  /** Milliseconds since some moment; by default, the clock of the process. */
  readonly now?: (() => number) | undefined;
  /**
   * Has `stop` called for each signal that arrives, Ctrl-C among them, until the function that it returns is called. Meanwhile,
   * signals do nothing else.
   */
  onSignal?(stop: (signal: Signal) => void): () => void;
}
