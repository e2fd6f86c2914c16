/**
 * The object `musterBridge` that the desktop shell's preload adds to the window. Everything crosses as JSON text with
 * the names and shapes of the contract.
 */
export interface Bridge {
  /** Makes a call and resolves with its `Answer`. */
  ask(call: string, input: string): Promise<string>
  /** Calls the listener with every event from now on, for the life of the page. */
  subscribe(listener: (event: string, data: string) => void): void
}
