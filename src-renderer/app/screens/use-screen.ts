import { useCallback, useEffect, useRef, useState } from 'react'
import type { EventData } from '../../../src-shared/contract/contract.ts'
import type { Screen, SettingsSection } from '../../../src-shared/navigation/screens.ts'
import type { Incidents } from '../../incidents/incidents.ts'
import { useAppContext } from '../../lib/context.ts'
import { afterFrames } from '../../lib/ui/focus.ts'
import { closeOffers, offersShown } from '../../query/offers/offers-state.ts'
import { shownFirmware } from '../../overview/firmware/shown-firmware.ts'
import { showPast } from '../../overview/then/then-time.ts'
import { shownPlace } from '../../overview/place/shown-place.ts'
import { shownReport } from '../../overview/report/shown-report.ts'
import { createStore } from '../../lib/store.ts'
import { focusPane } from '../../lib/ui/panes/focus-pane.ts'

/** The screen that was shown last, to which the wall display and a window that begins anew return. */
export const lastScreen = createStore<Screen | null>(null)

interface ScreenNavigation {
  screen: Screen
  /** Opens a screen. `part`: a section of the settings, which takes the focus. */
  toScreen: (screen: Screen, part?: SettingsSection) => void
  /** The section of the settings that is to be shown, until `arrived` is called. */
  part: SettingsSection | null
  arrived: () => void
  /** Returns to the screen that was left for an incident, with the focus in it. */
  back: (screen: Screen) => void
}

/**
 * Holds the present screen: the chosen one, or that of an open request. `onDialog`: called when a dialog was requested
 * instead.
 */
export function useScreen(
  incidents: Incidents,
  onDialog: (dialog: NonNullable<EventData<'open'>['dialog']>) => void,
): ScreenNavigation {
  const { session, ticker } = useAppContext()
  const [screen, setScreen] = useState<Screen>(
    () => lastScreen.get() ?? session.state.get().app?.settings.firstScreen ?? 'inventory',
  )
  const [part, setPart] = useState<SettingsSection | null>(null)
  const toScreen = useCallback((next: Screen, wanted: SettingsSection | null = null) => {
    setScreen(next)
    setPart(wanted)
  }, [])
  useEffect(() => offersShown.subscribe(() => offersShown.get() !== null && toScreen('query')), [toScreen])
  useEffect(() => {
    if (screen !== 'query') closeOffers()
  }, [screen])
  const arrived = useCallback(() => setPart(null), [])
  const at = useRef(screen)
  const dialog = useRef(onDialog)
  useEffect(() => {
    dialog.current = onDialog
  })
  useEffect(() => {
    at.current = screen
    lastScreen.set(screen)
    // Only the incidents screen keeps the way back to the screen before it.
    if (screen !== 'incidents') incidents.clearReturnPath()
    // The message about an action belongs to its screen.
    return () => incidents.actions.forget()
  }, [incidents, screen])
  useEffect(
    () =>
      session.onOpen((what) => {
        // The wall display that was left.
        if (what.wall === true) return undefined
        if (what.dialog !== undefined) return dialog.current(what.dialog)
        if (what.place !== undefined) {
          shownReport.set(null)
          shownFirmware.set(false)
          shownPlace.set(what.place)
        }
        if (what.past !== undefined) showPast(what.past, ticker.exact())
        const next = screenOf(what)
        if (next === 'incidents' && at.current !== next) incidents.setReturnScreen(at.current)
        toScreen(next, what.section)
      }),
    [session, ticker, incidents, toScreen],
  )
  const back = (to: Screen) => {
    toScreen(to)
    afterFrames(() =>
      focusPane(document.getElementById(to === 'inventory' ? 'devices' : to) ?? document.getElementById('main')),
    )
  }
  return { screen, toScreen, back, part, arrived }
}

function screenOf({ screen, incident }: EventData<'open'>): Screen {
  return screen ?? (typeof incident === 'string' ? 'incidents' : 'inventory')
}
