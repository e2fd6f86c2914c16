import type { CallOutput } from '../../src-shared/contract/contract.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import { useAppContext } from '../lib/context.ts'
import { useCall } from '../lib/hooks/use-call.ts'
import { saveFile, type Saved } from '../lib/save-file.ts'

export type Preview = CallOutput<'support.preview'>

export type Bundling =
  | { state: 'loading' }
  | { state: 'failed'; fault: Fault }
  | { state: 'shown'; preview: Preview; saved: string; fault: Fault | null }

export interface BundleOption {
  pseudonyms: boolean
  names: boolean
}

/**
 * Holds the preview for the chosen options, which is made again when they change or `again` is called, and saves the
 * chosen files.
 */
export function useBundle({ pseudonyms, names }: BundleOption) {
  const { session } = useAppContext()
  const ask = async (): Promise<Bundling> => {
    const { innerWidth, innerHeight, devicePixelRatio } = window
    const browser = `${navigator.userAgent}, ${innerWidth} x ${innerHeight} at ${devicePixelRatio}`
    const answer = await session.pipe.call('support.preview', { pseudonyms, names, window: browser.slice(0, 400) })
    return answer.ok
      ? { state: 'shown', preview: answer.value, saved: '', fault: null }
      : { state: 'failed', fault: answer.fault }
  }
  const { value, current, set, again } = useCall(`${pseudonyms} ${names}`, ask)
  const bundling: Bundling = value ?? { state: 'loading' }

  async function save(preview: Preview, files: readonly string[]) {
    const answer = await session.pipe.call('support.save', { id: preview.id, files: [...files] })
    const { app } = session.state.get()
    const saved: Saved = answer.ok
      ? await saveFile(session.pipe, app?.shell, answer.value.name, 'application/zip', [{ base64: answer.value.zip }])
      : answer
    set({
      state: 'shown',
      preview,
      saved: saved.ok ? (saved.where ?? '') : '',
      fault: saved.ok ? null : saved.fault,
    })
  }

  /** The shown preview is for other options, and the next one is pending. */
  const busy = bundling.state === 'loading' || (bundling.state === 'shown' && !current)
  return { bundling, busy, save, again }
}
