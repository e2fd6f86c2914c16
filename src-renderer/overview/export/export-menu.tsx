import { Download } from 'lucide-react'
import { memo, useState } from 'react'
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { fileName } from '../../inventory/actions/export-all.ts'
import { useAppContext } from '../../lib/context.ts'
import { type FilePart, saveFile } from '../../lib/save-file.ts'
import { shellOf } from '../../lib/session.ts'
import { savedState, SaveStatus, type SaveState } from '../../lib/ui/save-status.tsx'
import { pngOf } from './chart-png.ts'

/** A file that a menu offers. `name`: a part of the file's name. */
export interface ExportChoice {
  word: string
  name: string
  format: 'csv' | 'png'
  /** Null where there is nothing to export yet. */
  make: (() => Promise<FilePart>) | null
}

interface Props {
  label: string
  /** Returns what is offered, when the menu opens: the files have what is shown then. */
  choices: () => readonly ExportChoice[]
}

/** Exports charts as they are shown. */
export const ExportMenu = memo(function ExportMenu({ label, choices }: Props) {
  const { session, ticker } = useAppContext()
  const [state, setState] = useState<SaveState>({ is: 'idle' })
  async function save({ name, format, make }: ExportChoice) {
    if (make === null) return
    setState({ is: 'saving', progress: 'Saving…' })
    const type = format === 'csv' ? 'text/csv' : 'image/png'
    const file = fileName(name, format, new Date(ticker.exact()))
    try {
      setState(savedState(await saveFile(session.pipe, shellOf(session), file, type, [await make()])))
    } catch (thrown) {
      setState({ is: 'failed', fault: { kind: 'internal', detail: thrown instanceof Error ? thrown.message : '' } })
    }
  }
  return (
    <>
      <SaveStatus state={state} />
      <MenuTrigger>
        <Button className="button subtle" isDisabled={state.is === 'saving'}>
          <Download size={14} aria-hidden />
          {label}
        </Button>
        <Popover className="popover" placement="bottom end">
          <Choices label={label} choices={choices} onSave={(choice) => void save(choice)} />
        </Popover>
      </MenuTrigger>
    </>
  )
})

function Choices({ label, choices, onSave }: Props & { onSave: (choice: ExportChoice) => void }) {
  const [offered] = useState(choices)
  return (
    <Menu
      className="menu"
      aria-label={label}
      disabledKeys={offered.filter(({ make }) => make === null).map(({ word }) => word)}
    >
      {offered.map((choice) => (
        <MenuItem key={choice.word} id={choice.word} className="menu-item" onAction={() => onSave(choice)}>
          {choice.word}
        </MenuItem>
      ))}
    </Menu>
  )
}

/** Makes a CSV of something; nothing where that is not read yet. */
export const csvFile = <T,>(of: T | null, make: (of: T) => string): ExportChoice['make'] =>
  of === null ? null : async () => make(of)

/** Makes a picture of the canvas of the map, where it is shown and not its table. */
export async function mapPng(): Promise<FilePart> {
  const canvas = document.querySelector<HTMLCanvasElement>('canvas.map-canvas')
  if (canvas === null) throw new Error('Show the map instead of its table first.')
  return { base64: await pngOf(canvas) }
}
