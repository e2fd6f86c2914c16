import { useSettings } from '../../settings/use-settings.ts'
import { useAppContext } from '../../lib/context.ts'

/** Whether a device is on the watch list, and the way to put it there or take it off. */
export function useWatch(key: string): { watched: boolean; watch: (on: boolean) => void } {
  const { session } = useAppContext()
  const { watched } = useSettings()
  return {
    watched: watched.includes(key),
    watch: (on) =>
      void session.change({
        watched: on ? [...watched.filter((each) => each !== key), key] : watched.filter((each) => each !== key),
      }),
  }
}

/** Whether a node is a place that is watched as a whole: a site (`s:`) or a room (`m:`), and not "No site" or "No room" (`=` for its name). */
export function isWatchable(node: string): boolean {
  return /^[sm]:/u.test(node) && !node.endsWith('/=')
}
