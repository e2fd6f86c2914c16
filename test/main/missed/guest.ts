/** One life of the console, as the service and the disk meet it. */
export interface Guest {
  isDead(): boolean
  /** Set when it finds lost time: events then are left to the reconciliation that follows. */
  loseTime: boolean
  /** The console may die here. */
  crossing(where: string): void
  /** Nothing may keep a page that comes in now from being written. */
  isSure(): boolean
  /** The next place in the order of events and requests. */
  place(): number
}
