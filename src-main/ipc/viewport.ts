/** The devices that windows have asked for lately: what is on somebody's screen. */
export interface Viewport {
  /** These rows were shown, the first of them on top. */
  rows(keys: readonly string[]): void
  /** This device was opened. */
  device(key: string): void
  /** The latest first, each once. */
  keys(): Iterable<string>
}

/** Some screens full: more is no longer what somebody looks at. */
const mostKeys = 300

export function createViewport(): Viewport {
  let latest: string[] = []
  const put = (keys: readonly string[]) => {
    latest = [...new Set([...keys, ...latest])].slice(0, mostKeys)
  }
  return { rows: put, device: (key) => put([key]), keys: () => latest }
}
