import '../styles/overview.css'
import '../styles/wall.css'
import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react'
import { Button } from 'react-aria-components'
import { repeat, systemClock } from '../../src-shared/lib/clock.ts'
import { everything } from '../../src-shared/model/inventory.ts'
import type { WallPage } from '../../src-shared/model/wall.ts'
import { useAppContext } from '../lib/context.ts'
import { unknownCounts } from '../lib/format/numbers.ts'
import { every, useCall } from '../lib/hooks/use-call.ts'
import { useTickedText } from '../lib/hooks/use-ticked-text.ts'
import type { AppState } from '../lib/session.ts'
import { useFleetMap, unlessLost, type MapQuery, type MapState } from '../overview/map/use-map.ts'
import { useAppearance } from '../settings/appearance.ts'
import { useFullScreen } from './full-screen.ts'
import { dimmedBy, nextPage, pagesNow } from './pages.ts'
import { wallShown } from './shown-wall.ts'
import { useWallIncidents, type WallIncidents } from './use-wall-incidents.ts'
import { IncidentCards } from './incident-cards.tsx'
import { OldLines } from './old-lines.tsx'
import { WallHead } from './wall-head.tsx'
import { WallMap } from './wall-map.tsx'
import { WallTenants } from './wall-tenants.tsx'

/** Incident cards that fit beside the map, and on a page of their own. */
const [besideMap, onPage] = [4, 12]
const leave = () => wallShown.set(false)

/** The wall display: the fleet for a screen that many people watch from afar, page after page. It has no controls but to leave. */
export function Wall({ app, coreLost }: { app: AppState; coreLost: boolean }) {
  useAppearance()
  useFullScreen(leave)
  const { settings } = app
  const view = app.views.find(({ id }) => id === settings.wallView)
  const query: MapQuery | null = view === undefined ? null : { scope: view.query.scope, filter: view.query.filter }
  const map = unlessLost(useFleetMap('site', query), coreLost)
  const incidents = useWallIncidents(coreLost, query)
  const open = incidents.open?.length ?? 0
  const { page, pages, go } = usePages(
    pagesNow(settings.wallPages, open + incidents.ended.length),
    settings.wallSeconds,
  )
  const heart = useHeartbeat()
  const totals = query === null ? app.totals : map.state === 'shown' ? map.totals : null
  const isDim = useTickedText((now) => String(dimmedBy(settings, now, settings.times)))
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' || event.key === 'F11') leave()
    else if (event.key === 'ArrowRight') go(1)
    else if (event.key === 'ArrowLeft') go(-1)
    else return
    event.preventDefault()
  }
  const pointer = usePointer()
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys leave the wall and turn its pages from anywhere in it
    <div
      className="wall"
      ref={box}
      tabIndex={-1}
      data-pointer={pointer.isShown}
      onKeyDown={onKeyDown}
      onPointerMove={pointer.onMove}
    >
      <WallHead
        title={view?.name ?? (settings.wallView === null ? '' : 'The view of this wall is gone: all devices')}
        totals={totals === null ? null : coreLost ? unknownCounts(totals) : totals}
        isDemo={app.demo}
        beats={heart?.beats ?? 0}
      />
      <OldLines connections={app.connections} answeredAt={heart?.at ?? null} />
      <main className="wall-page" key={page} data-page={page}>
        <Page page={page} map={map} incidents={incidents} isWhole={query === null} coreLost={coreLost} />
      </main>
      <footer className="wall-foot">
        <span className="wall-dots" aria-hidden="true">
          {pages.length > 1 && pages.map((each) => <i key={each} data-shown={each === page} />)}
        </span>
        <span className="wall-quiet">{incidents.open !== null && open === 0 && 'No open incidents'}</span>
        <Button className="button wall-leave" onPress={leave}>
          Leave the wall (Esc)
        </Button>
      </footer>
      <div className="wall-dim" style={{ opacity: Number(isDim) }} />
    </div>
  )
}

interface PageProps {
  page: WallPage
  map: MapState
  incidents: WallIncidents
  /** All devices are shown. */
  isWhole: boolean
  coreLost: boolean
}

function Page({ page, map, incidents, isWhole, coreLost }: PageProps) {
  switch (page) {
    case 'map': {
      const { open, ended, fault } = incidents
      const hasCards = (open?.length ?? 0) + ended.length > 0 || fault !== null
      return (
        <>
          <WallMap map={map} />
          {hasCards && <IncidentCards incidents={incidents} most={besideMap} />}
        </>
      )
    }
    case 'incidents':
      return <IncidentCards incidents={incidents} most={onPage} />
    case 'tenants':
      return <WallTenants map={map} incidents={incidents.open ?? []} isWhole={isWhole} coreLost={coreLost} />
    default:
      return page satisfies never
  }
}

/** The pointer, and the way out beside it, are shown for this long (ms) after it moved. */
const pointerFor = 3000

function usePointer() {
  const [isShown, setShown] = useState(false)
  const cancel = useRef<(() => void) | null>(null)
  useEffect(() => () => cancel.current?.(), [])
  const onMove = () => {
    cancel.current?.()
    cancel.current = systemClock.after(pointerFor, () => setShown(false))
    setShown(true)
  }
  return { isShown, onMove }
}

/** How often (ms) the core is asked whether it still answers. */
const beatEvery = 5000

/** Returns when the core last answered (ms), and how often it did; null before the first answer. */
function useHeartbeat() {
  const { session, ticker } = useAppContext()
  const ask = async (last: { at: number; beats: number } | null) => {
    const answer = await session.pipe.call('inventory.counts', { scope: everything })
    return answer.ok ? { at: ticker.exact(), beats: (last?.beats ?? 0) + 1 } : null
  }
  return useCall('heartbeat', ask, every(beatEvery)).value
}

/** The present page, which the next one follows after some seconds. */
function usePages(pages: ReturnType<typeof pagesNow>, seconds: number) {
  const [wanted, setWanted] = useState(pages[0] ?? 'map')
  const page = pages.includes(wanted) ? wanted : (pages[0] ?? 'map')
  const go = (step: 1 | -1) => setWanted(nextPage(pages, page, step))
  const turn = useEffectEvent((from: WallPage) => from === page && go(1))
  // A page that was turned by hand has its whole time.
  useEffect(() => repeat(systemClock, seconds * 1000, () => void turn(page)), [page, seconds])
  return { page, pages, go }
}
