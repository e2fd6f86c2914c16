/**
 * The devices of a live connection that are subscribed without a gap. After a few more were added, a confirmed
 * subscription concerns these alone: the others had theirs all the time.
 */
export interface Additions {
  /** Expects subscriptions that differ from the present ones by these devices, and by devices that are gone. */
  expect(ids: readonly string[]): void
  /**
   * Records a confirmed subscription. Returns the added devices in it; null where it has others that were not subscribed
   * before, or no change was expected. `isComplete`: all subscriptions are confirmed.
   */
  subscribed(devices: ReadonlySet<string>, isComplete: boolean): string[] | null
  lost(devices: ReadonlySet<string>): void
  /** Forgets all: the connection is not live. */
  clear(): void
}

export function createAdditions(): Additions {
  const covered = new Set<string>()
  const expected = new Set<string>()
  let isExpecting = false
  const end = () => {
    isExpecting = false
    expected.clear()
  }
  return {
    expect(ids) {
      // Before the first subscription all devices are compared anyway.
      if (covered.size === 0) return
      isExpecting = true
      for (const id of ids) expected.add(id)
    },
    subscribed(devices, isComplete) {
      const fresh = [...devices].filter((id) => !covered.has(id))
      const isOwn = isExpecting && fresh.every((id) => expected.has(id))
      for (const id of devices) covered.add(id)
      if (isComplete) end()
      return isOwn ? fresh : null
    },
    lost(devices) {
      for (const id of devices) covered.delete(id)
    },
    clear() {
      covered.clear()
      end()
    },
  }
}
