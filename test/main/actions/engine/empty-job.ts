import type { JobPlan } from '../../../../src-shared/model/jobs.ts'
import { runningJob, type RunningJob } from '../../../../src-main/actions/engine/job.ts'

/** A reboot of so many devices that has not begun. */
export const emptyJob = (devices: number, plan: JobPlan): RunningJob =>
  runningJob({
    record: {
      id: 'job',
      kind: 'reboot',
      place: null,
      tenants: [{ key: 'service/tenant', name: 'Tenant' }],
      plan,
      fault: null,
      createdAt: 0,
      startedAt: null,
      endedAt: null,
      undoes: null,
      state: 'scheduled',
      linkedDevices: false,
      fields: null,
    },
    targets: Array.from({ length: devices }, (_, index) => ({
      key: `service/tenant/${index}`,
      id: `${index}`,
      name: `Device ${index}`,
      tenant: { key: 'service/tenant', name: 'Tenant' },
      site: null,
      room: null,
      before: {},
      after: {},
      outcome: 'pending',
      obstacle: null,
      words: null,
      sentAt: null,
      answeredAt: null,
      provenAt: null,
      provenBy: null,
      backAfter: null,
      droppedAt: null,
      backAt: null,
      checkIn: null,
    })),
  })
