import { expect, it } from 'vitest'
import { saveFile } from '../../../src-renderer/lib/save-file.ts'
import { corePipe } from '../support/pipe-stub.ts'

const save = (answers: Parameters<typeof corePipe>[0]) => {
  const { pipe, asked } = corePipe(answers)
  return { saved: saveFile(pipe, 'electron', 'fleet.csv', 'text/csv', ['a', 'b']), asked }
}

it('in the desktop application a file is begun, written part by part, and completed', async () => {
  const { saved, asked } = save({
    'files.begin': () => ({ file: 'f' }),
    'files.write': () => ({}),
    'files.end': () => ({ path: '/home/a/fleet.csv' }),
  })
  expect(await saved).toEqual({ ok: true, where: '/home/a/fleet.csv' })
  expect(asked).toEqual([
    ['files.begin', { name: 'fleet.csv' }],
    ['files.write', { file: 'f', text: 'a' }],
    ['files.write', { file: 'f', text: 'b' }],
    ['files.end', { file: 'f', keep: true }],
  ])
})

it('nothing is written after a cancel, and an incomplete file is removed', async () => {
  const off = save({ 'files.begin': () => ({ file: null }) })
  expect([await off.saved, off.asked]).toEqual([{ ok: true, where: null }, [['files.begin', { name: 'fleet.csv' }]]])
  const full = save({ 'files.begin': () => ({ file: 'f' }), 'files.end': () => ({ path: '' }) })
  expect(await full.saved).toEqual({ ok: false, fault: { kind: 'storage', detail: 'files.write' } })
  expect(full.asked.at(-1)).toEqual(['files.end', { file: 'f', keep: false }])
  const rejected = save({})
  expect(await rejected.saved).toEqual({ ok: false, fault: { kind: 'storage', detail: 'files.begin' } })
})
