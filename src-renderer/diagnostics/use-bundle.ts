import { useCallback, useEffect, useState } from 'react'
import type { CallOutput } from '../../src-shared/contract/contract.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import { useAppContext } from '../lib/context.ts'
import { saveFile, type Saved } from '../lib/save-file.ts'

export type Preview = CallOutput<'support.preview'>

export type Bundling =
  | { state: 'loading' }
  | { state: 'failed'; fault: Fault }
  /** `of`: what it was made for. */
  | { state: 'shown'; of: string; preview: Preview; saved: string; fault: Fault | null }

export interface Wish {
  pseudonyms: boolean
  names: boolean
}

/** A preview for what is wished for, made anew when the wish changes or `again` is called, and the saving of what is chosen of it. */
export function useBundle({ pseudonyms, names }: Wish) {
  const { session } = useAppContext()
  const [bundling, setBundling] = useState<Bundling>({ state: 'loading' })
  const wish = `${pseudonyms} ${names}`
  const ask = useCallback(async (): Promise<Bundling> => {
    const { innerWidth, innerHeight, devicePixelRatio } = window
    const words = `${navigator.userAgent}, ${innerWidth} x ${innerHeight} at ${devicePixelRatio}`
    const answer = await session.pipe.call('support.preview', { pseudonyms, names, window: words.slice(0, 400) })
    return answer.ok
      ? { state: 'shown', of: `${pseudonyms} ${names}`, preview: answer.value, saved: '', fault: null }
      : { state: 'failed', fault: answer.fault }
  }, [session, pseudonyms, names])
  useEffect(() => {
    let wanted = true
    void ask().then((made) => wanted && setBundling(made))
    return () => {
      wanted = false
    }
  }, [ask])

  async function save(preview: Preview, files: readonly string[]) {
    const answer = await session.pipe.call('support.save', { id: preview.id, files: [...files] })
    const { app } = session.state.get()
    const saved: Saved = answer.ok
      ? await saveFile(session.pipe, app?.shell, answer.value.name, 'application/zip', [{ base64: answer.value.zip }])
      : answer
    setBundling({
      state: 'shown',
      of: wish,
      preview,
      saved: saved.ok ? (saved.where ?? '') : '',
      fault: saved.ok ? null : saved.fault,
    })
  }

  /** What stands there was made for another wish, and another one is on its way. */
  const busy = bundling.state === 'loading' || (bundling.state === 'shown' && bundling.of !== wish)
  return { bundling, busy, save, again: () => void ask().then(setBundling) }
}
