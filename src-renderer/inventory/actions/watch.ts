import { changeSettings } from '../../settings/change-settings.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { useAppContext } from '../../lib/context.ts'

/** Returns whether a device is on the watch list, and a function that adds or removes it. */
export function useWatch(key: string): { watched: boolean; watch: (on: boolean) => void } {
  const context = useAppContext()
  const { watched } = useSettings()
  return {
    watched: watched.includes(key),
    watch: (on) =>
      void changeSettings(context, {
        watched: on ? [...watched.filter((each) => each !== key), key] : watched.filter((each) => each !== key),
      }),
  }
}

/**
 * Returns whether a node is a place that can be watched: a site (`s:`) or a room (`m:`), but not "No site" or "No room"
 * (`=` as its name).
 */
export function isWatchable(node: string): boolean {
  return /^[sm]:/u.test(node) && !node.endsWith('/=')
}
