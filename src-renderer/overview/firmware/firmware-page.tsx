import '../../styles/firmware.css'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import type { CallOutput } from '../../../src-shared/contract/contract.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { faultSentence } from '../../../src-shared/model/fault.ts'
import { firmwareColumns } from '../../../src-shared/model/firmware.ts'
import type { ExtraColumn } from '../../../src-shared/model/inventory.ts'
import { CostLine, progressText } from '../../inventory/columns/extra-columns.tsx'
import { useAppContext } from '../../lib/context.ts'
import { many } from '../../lib/format/numbers.ts'
import { afterChanges } from '../../lib/hooks/use-call.ts'
import { useLast } from '../../lib/hooks/use-last.ts'
import { useStore } from '../../lib/store.ts'
import { afterFrames } from '../../lib/ui/focus.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { useSettings } from '../../settings/use-settings.ts'
import { SharedMark } from '../../team/shared-mark.tsx'
import { Panel } from '../panel.tsx'
import { withTarget } from './firmware.ts'
import { ModelTable } from './model-table.tsx'
import { Progress } from './progress.tsx'
import { shownFirmware } from './shown-firmware.ts'

/** How often the versions are read again while devices change, ms. */
const readEvery = 5000

/** The firmware of the fleet: versions by model, a target for each, and what is behind. */
export function FirmwarePage({ coreLost }: { coreLost: boolean }) {
  const { session } = useAppContext()
  const columns = useStore(session.state, ({ app }) => app?.columns) ?? none
  const column = columns.find(({ name, on }) => on && firmwareColumns.includes(name)) ?? null
  const offered = column ?? columns.find(({ name }) => firmwareColumns.includes(name)) ?? null
  const { firmwareTargets } = useSettings()
  const { value, fault } = useLast(
    `${coreLost} ${column?.name} ${column?.read} ${JSON.stringify(firmwareTargets)}`,
    () => session.pipe.call('firmware.read', {}),
    afterChanges(session, readEvery),
  )
  const screen = useRef<HTMLDivElement>(null)
  useEffect(() => screen.current?.focus(), [])
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape leaves the page from anywhere in it
    <div
      className="screen overview firmware-page"
      id="overview"
      tabIndex={-1}
      ref={screen}
      onKeyDown={(event) => event.key === 'Escape' && !event.defaultPrevented && leave()}
    >
      <div className="screen-head">
        <Button className="button subtle" onPress={leave}>
          <ArrowLeft size={14} aria-hidden />
          Overview
        </Button>
        <h1>Firmware</h1>
        <span className="screen-sum" role="status">
          {column === null ? '' : progressText(column)}
        </span>
      </div>
      <div className="overview-grid">
        {column === null && <NotLoaded offered={offered} coreLost={coreLost} />}
        {fault !== null && (
          <p className="screen-note" role="alert">
            {faultSentence(fault)}
          </p>
        )}
        {column !== null && value === null && fault === null && <p className="screen-note">Loading…</p>}
        {value?.column != null && <Models firmware={value} column={value.column} coreLost={coreLost} />}
      </div>
    </div>
  )
}

const none: readonly ExtraColumn[] = []

/** Returns to the overview, which takes the focus. */
function leave(): void {
  shownFirmware.set(false)
  afterFrames(() => document.getElementById('overview')?.focus())
}

/** The field is read on request, after its cost was shown. */
function NotLoaded({ offered, coreLost }: { offered: ExtraColumn | null; coreLost: boolean }) {
  const { session } = useAppContext()
  const [fault, setFault] = useState<Fault | null>(null)
  const load = async (name: string) => {
    const answer = await session.pipe.call('columns.switch', { name, on: true })
    setFault(answer.ok ? null : answer.fault)
  }
  return (
    <Panel title="Firmware is not loaded">
      {offered === null ? (
        <p className="overview-empty">The services that were read offer no field with the firmware of devices.</p>
      ) : (
        <>
          <p className="muted-text">
            Firmware is not part of the regular sync. It is read once for all devices, and then with each full sync.
          </p>
          {!coreLost && <CostLine name={offered.name} onTake={() => void load(offered.name)} />}
          <FaultNote fault={fault} />
        </>
      )}
    </Panel>
  )
}

interface ModelsProps {
  firmware: CallOutput<'firmware.read'>
  column: string
  coreLost: boolean
}

export function Models({ firmware: { models, modelsLeftOut }, column, coreLost }: ModelsProps) {
  const { session } = useAppContext()
  const { firmwareTargets } = useSettings()
  const [chosen, setChosen] = useState<string | null>(null)
  const [fault, setFault] = useState<Fault | null>(null)
  const shown = models.find(({ model }) => model === chosen) ?? null
  const setTarget = async (model: string, version: string | null) => {
    const answer = await session.change({ firmwareTargets: withTarget(firmwareTargets, model, version) })
    setFault(answer.ok ? null : answer.fault)
    if (answer.ok) setChosen(version === null ? null : model)
  }
  return (
    <>
      {shown !== null && shown.target !== null && (
        <Progress key={`${shown.model} ${shown.target}`} model={shown.model} target={shown.target} column={column} />
      )}
      <Panel title="Models" note={many(models.length, 'model')}>
        <FaultNote fault={fault} />
        <SharedMark what="Targets" />
        <ModelTable
          models={models}
          column={column}
          chosen={chosen}
          disabled={coreLost}
          onTarget={(model, version) => void setTarget(model, version)}
          onChoose={setChosen}
        />
        {modelsLeftOut > 0 && (
          <p className="muted-text">{many(modelsLeftOut, 'model')} with fewer devices are left out.</p>
        )}
      </Panel>
    </>
  )
}
