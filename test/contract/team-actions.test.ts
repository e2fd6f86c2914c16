import { expect, test } from 'vitest'
import { useTeamDatabases } from '../support/postgres/databases.ts'
import { noPostgres } from '../support/postgres/server.ts'
import { connectionTo, service, until } from '../support/fleet.ts'
import { idOf, jobsOf, reboot } from '../support/jobs-console.ts'
import { openMember } from '../support/team-consoles.ts'

/* The member that reads a connection acts on its devices, and the one that keeps the incidents knows of the reboots. */

const { skip, leftovers, makeTeam } = useTeamDatabases('actions')

test(
  `who reads reboots, others are told who, and nobody sees an outage${noPostgres}`,
  { skip, timeout: 150_000 },
  async () => {
    const reference = await service(leftovers, { devices: 60, tenants: 1, life: false })
    const team = await makeTeam()
    // Anna has no secret and keeps the incidents; Berta reads.
    const anna = await openMember({ ...team, operator: 'Anna' })
    await anna.call('settings.change', { holdOffSeconds: 0, recoverySeconds: 0, groupingSeconds: 0 })
    await until(async () => expect((await anna.call('team.read', {})).joined?.evaluator?.isSelf).toBe(true))
    const berta = await openMember({ ...team, operator: 'Berta' })
    await berta.call('connections.save', connectionTo(reference))
    await until(async () => {
      const [state] = (await berta.call('app.state', {})).connections
      expect([state?.link.state, state?.sync.state]).toEqual(['live', 'idle'])
      expect((await anna.call('app.state', {})).totals.connected).toBeGreaterThan(20)
    }, 40_000)
    const jobs = jobsOf(berta)
    const [device = '', other = ''] = (await jobs.keys()).keys

    await until(async () => {
      const [tenant] = (await anna.call('actions.state', {})).tenants
      expect(tenant).toMatchObject({ offered: [], readBy: 'Berta' })
    })
    const [own] = await jobs.tenants()
    expect(own?.readBy).toBeUndefined()

    const incidents: string[] = []
    anna.core.on('notification', ({ id }) => void incidents.push(id))
    const job = await jobs.start(reboot([device]), { waitMinutes: 5 })
    // It goes offline at Anna too.
    await until(async () => {
      const { device: seen } = await anna.call('inventory.device', { key: device })
      expect(seen?.transitions.some(({ connected }) => !connected)).toBe(true)
    }, 40_000)
    // Another device's drop, after it, is an outage.
    reference.world.setConnected(idOf(other), false)
    await until(async () => {
      const { rows } = await anna.call('incidents.list', { state: 'open', text: '', offset: 0, limit: 10 })
      expect(rows.map(({ open }) => open.device)).toEqual([other])
    }, 40_000)
    const [row] = await jobs.rows(job)
    expect(row).toMatchObject({ key: device, outcome: 'sent', provenAt: null })
    expect(incidents).toHaveLength(1)
    expect(reference.operations().filter(({ operationName }) => operationName === 'Reboot')).toHaveLength(1)
  },
)
