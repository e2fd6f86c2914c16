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

export interface Wish {
  pseudonyms: boolean
  names: boolean
}

/** A preview for what is wished for, made anew when the wish changes or `again` is called, and the saving of what is chosen of it. */
export function useBundle({ pseudonyms, names }: Wish) {
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

  /** The preview that is shown was made for another wish, and the next one is on its way. */
  const busy = bundling.state === 'loading' || (bundling.state === 'shown' && !current)
  return { bundling, busy, save, again }
}
