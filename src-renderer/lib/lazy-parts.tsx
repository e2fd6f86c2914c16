import { createContext, useContext, type ComponentType, type ReactNode } from 'react'
import type { DeviceStatus } from '../../src-shared/model/inventory.ts'
import type { Incident } from '../../src-shared/model/incidents.ts'

/** Parts of first screens that load after the first paint (app/screens/lazy-bundle.ts). */
export interface LazyParts {
  LockPanel: ComponentType<{ onDone: () => void }>
  JobsPanel: ComponentType<{ onDone: () => void }>
  DeviceJobs: ComponentType<{ device: string }>
  DeviceReboot: ComponentType<{ device: string; status: DeviceStatus }>
  DeviceConfiguration: ComponentType<{ device: string; coreLost: boolean }>
  IncidentFollowUp: ComponentType<{ incident: Incident }>
  Notes: ComponentType<{ node: { id: string; name: string }; coreLost: boolean }>
}

export const LazyPartsProvider = createContext<LazyParts | null>(null)

/** Renders with the lazy parts; nothing until they are loaded. */
export function LazyPart({ render }: { render: (parts: LazyParts) => ReactNode }) {
  const parts = useContext(LazyPartsProvider)
  return parts === null ? null : render(parts)
}
