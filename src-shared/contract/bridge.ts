/**
 * What the preload of the desktop shell puts into the window as `musterBridge`. Everything crosses as JSON text: names and
 * shapes are those of the contract.
 */
export interface Bridge {
  /** Brings back an `Answer`. */
  ask(call: string, input: string): Promise<string>
  /** The listener hears every event from now on, until the page is gone. */
  hear(listener: (event: string, data: string) => void): void
}
