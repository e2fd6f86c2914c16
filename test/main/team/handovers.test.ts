import { expect, test } from 'vitest'
import { handoverHandlers, type HandoverDeps } from '../../../src-main/team/handovers.ts'

/** Ben's Muster, to whom a shift was handed over; `isHis`: the name belongs to his login. */
function open(isHis: boolean) {
  let accepted: { at: number; by: string } | null = null
  const deps = {
    data: {
      handover: async () => ({
        id: 'h',
        at: 1,
        from: 'Ann',
        to: 'Ben',
        since: 0,
        until: 1,
        note: '',
        text: '',
        accepted,
      }),
      async acceptHandover({ at, by }: { at: number; by: string }) {
        if (isHis) accepted = { at, by }
      },
    },
    team: { state: () => ({ operator: 'Ben', members: [] }) },
    clock: { now: () => 5 },
    write: async () => ({ text: '' }),
    onChange: () => {},
  } as unknown as HandoverDeps
  return handoverHandlers(deps)
}

test('a handover is accepted by its receiver', async () => {
  expect(await open(true)['handover.accept']({ id: 'h' })).toEqual({})
})

test('an acceptance that the team does not take says why', async () => {
  await expect(open(false)['handover.accept']({ id: 'h' })).rejects.toMatchObject({
    fault: { kind: 'input', detail: 'The name Ben belongs to another login of the database, which can accept it.' },
  })
})
