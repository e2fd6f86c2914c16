export interface StartedConsole {
  /** Rejects with why there is none. */
  url: Promise<string>
  /** Resolves with its code, or with the signal that ended it. */
  ended: Promise<number | string | null>
  stop(): Promise<void>
  kill(): Promise<void>
}
export declare function startConsole(
  profile: string,
  options?: { open?: boolean; env?: Record<string, string | undefined> },
): StartedConsole
