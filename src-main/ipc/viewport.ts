/** The devices that windows requested recently: those on a screen. */
export interface Viewport {
  /** Records that these rows were shown, in order from the top. */
  rows(keys: readonly string[]): void
  /** Records that this device was opened. */
  device(key: string): void
  /** Returns the keys, the latest first, each once. */
  keys(): Iterable<string>
}

/** Number of devices kept: some screens full. */
const maxKeys = 300

export function createViewport(): Viewport {
  let latest: string[] = []
  const put = (keys: readonly string[]) => {
    latest = [...new Set([...keys, ...latest])].slice(0, maxKeys)
  }
  return { rows: put, device: (key) => put([key]), keys: () => latest }
}
