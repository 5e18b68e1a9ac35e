/** A stream that text goes to. */
export interface Output {
  /** Returns `false` when more should wait for {@link Output.drained}, as Node's streams do. */
  write(text: string): boolean;
  /** Resolves when what was written has left. */
  drained?(): Promise<void>;
  /** Whether a person looks at it, how wide that person's window is, and whether it shows colours. */
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  hasColors?(): boolean;
}

/** All that a run of the command knows of the world around it, files aside. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder that relative paths start from. */
  readonly cwd: string;
  /** Has `stop` called when the user presses Ctrl-C, until the function that it returns is called. */
  onInterrupt?(stop: () => void): () => void;
}
