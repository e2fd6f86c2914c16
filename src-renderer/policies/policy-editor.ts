import { isolated } from '../../src-shared/text/direction.ts'
import type { Answer, CallInput } from '../../src-shared/contract/contract.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import type { NodeThresholds, Policies } from '../../src-shared/model/incidents.ts'
import { everything } from '../../src-shared/model/inventory.ts'
import type { Targets } from '../../src-shared/model/jobs.ts'
import { isEmptyNote, type NoteContent, noNote } from '../../src-shared/model/notes.ts'
import {
  createMaintenance,
  type Maintenance,
  type MaintenanceWindow,
} from '../../src-shared/maintenance/maintenance.ts'
import { createZones, type Zones, zoneName } from '../../src-shared/maintenance/zones.ts'
import { many } from '../lib/format/numbers.ts'
import type { Session } from '../lib/session.ts'
import { createStore, type Store } from '../lib/store.ts'
import { createUndoSteps } from '../lib/undo-steps.ts'
import { goneOf, onlyAccountOf, type Place, placeOf, wholeFleet, zoneOf } from './place/place.ts'
import type { ConfiguredMaintenance } from './format.ts'

/** The open dialog. `zone`: the zone in which a maintenance window's times are first shown. */
export type Asked =
  | { what: 'none' }
  | { what: 'window'; configured: ConfiguredMaintenance | null; place: Place | null; zone: string }
  | { what: 'zone' | 'thresholds'; place: Place }
  | { what: 'note'; node: NamedNode }
  | { what: 'tags'; targets: Targets }

/** The result of the last action. `undo`: identifies the last action that can be undone; null without one. */
export interface ActionState {
  words: string
  failure: Fault | null
  undo: number | null
}

export interface NamedNode {
  id: string
  name: string
}

/** Edits what an operator sets on places: maintenance windows, zones, thresholds (design, section 8), and notes, also of devices. */
export interface PolicyEditor {
  maintenance: Maintenance
  zones: Zones
  asked: Store<Asked>
  acted: Store<ActionState>
  /** Opens the dialog for a new window, over this place when given. */
  askWindow(node: NamedNode | null): Promise<void>
  askChange(configured: ConfiguredMaintenance): Promise<void>
  ask(what: 'zone' | 'thresholds', node: NamedNode): Promise<void>
  askNote(node: NamedNode): void
  /** Opens the dialog for the tags of several devices. */
  askTags(targets: Targets): void
  /** Each action resolves with its fault, or with null when it is done and can be undone. */
  save(window: MaintenanceWindow, isNew: boolean): Promise<Fault | null>
  remove(window: Pick<MaintenanceWindow, 'id' | 'name'>): Promise<Fault | null>
  setZone(node: NamedNode, zone: string | null): Promise<Fault | null>
  setThresholds(node: NamedNode, rules: NodeThresholds): Promise<Fault | null>
  saveNote(node: NamedNode, content: NoteContent): Promise<Fault | null>
  saveTags(change: CallInput<'notes.tag'>): Promise<Fault | null>
  undo(): Promise<void>
  /** Clears the message. The action can still be undone. */
  forget(): void
  /** Returns places whose names contain the text. */
  find(text: string): Promise<readonly Place[]>
}

const none: Policies = { ownZone: 'UTC', windows: [], zones: [], thresholds: [], places: [] }
/** The maximum number of places in a list under a field. */
const maxFound = 30

export function createPolicyEditor(session: Session): PolicyEditor {
  const { pipe } = session
  const zones = createZones()
  const asked = createStore<Asked>({ what: 'none' })
  const policies = () => session.state.get().app?.policies ?? none

  async function placeFor({ id, name }: NamedNode): Promise<Place> {
    if (id === everything) return wholeFleet
    const answer = await pipe.call('inventory.places', { asked: { nodes: [id] }, limit: 1 })
    const [found] = answer.ok ? answer.value.places : []
    if (found !== undefined) return placeOf(found)
    const isListed = policies().places.some(({ node }) => node === id)
    return isListed ? onlyAccountOf(id, name) : goneOf(id, name)
  }

  return {
    maintenance: createMaintenance(zones),
    zones,
    asked,
    ...createPolicyActions(session),
    async askWindow(node) {
      const place = node === null ? null : await placeFor(node)
      asked.set({ what: 'window', configured: null, place, zone: zoneOf(place, policies()).zone })
    },
    async askChange(configured) {
      asked.set({
        what: 'window',
        configured,
        place: await placeFor({ id: configured.window.node, name: configured.window.nodeName }),
        zone: configured.zone,
      })
    },
    async ask(what, node) {
      asked.set({ what, place: await placeFor(node) })
    },
    askNote: (node) => asked.set({ what: 'note', node }),
    askTags: (targets) => asked.set({ what: 'tags', targets }),
    async find(text) {
      const answer = await pipe.call('inventory.places', { asked: { find: text.slice(0, 200) }, limit: maxFound })
      return answer.ok ? answer.value.places.map(placeOf) : []
    },
  }
}

type ActionList = Pick<
  PolicyEditor,
  'acted' | 'save' | 'remove' | 'setZone' | 'setThresholds' | 'saveNote' | 'saveTags' | 'undo' | 'forget'
>

/** An action that can be undone. `id`: the core's number, or one below 0 for notes and tags. */
interface UndoStep {
  id: number
  run(): Promise<Answer<unknown>>
}

/** Keeps the steps that can be undone, and the message about the last one. */
function createUndo() {
  const acted = createStore<ActionState>({ words: '', failure: null, undo: null })
  const steps = createUndoSteps<UndoStep>()
  const last = () => steps.last()?.id ?? null
  return {
    acted,
    added(step: UndoStep, words: string): null {
      steps.add(step)
      acted.set({ words, failure: null, undo: last() })
      return null
    },
    /** Says what needs no undo. */
    said(words: string): null {
      acted.set({ words, failure: null, undo: null })
      return null
    },
    async undo() {
      const step = steps.last()
      if (step === null) return
      const answer = await step.run()
      steps.tried(answer)
      acted.set(
        answer.ok
          ? { words: 'Undone.', failure: null, undo: last() }
          : { words: '', failure: answer.fault, undo: last() },
      )
    },
  }
}

function createPolicyActions({ pipe }: Session): ActionList {
  const { acted, added, said, undo } = createUndo()
  let notes = 0

  /** After a failed action, the one before it can still be undone. */
  function done(answer: Answer<{ undo: number }>, words: string): Fault | null {
    if (!answer.ok) return answer.fault
    const { undo: id } = answer.value
    return added({ id, run: () => pipe.call('actions.undo', { id }) }, words)
  }

  return {
    acted,
    undo,
    save: async (window, isNew) =>
      done(
        await pipe.call('maintenance.save', window),
        `${isNew ? 'Made' : 'Changed'} the maintenance window “${isolated(window.name)}”.`,
      ),
    async remove({ id, name }) {
      const failure = done(
        await pipe.call('maintenance.remove', { id }),
        `Removed the maintenance window “${isolated(name)}”.`,
      )
      if (failure !== null) acted.set({ ...acted.get(), words: '', failure })
      return failure
    },
    setZone: async (node, zone) =>
      done(
        await pipe.call('zones.set', configuredOn(node, { zone })),
        zone === null
          ? `${isolated(node.name)} inherits its time zone.`
          : `The time zone of ${isolated(node.name)} is ${zoneName(zone)}.`,
      ),
    setThresholds: async (node, thresholds) =>
      done(
        await pipe.call('thresholds.set', configuredOn(node, { thresholds })),
        Object.keys(thresholds).length === 0
          ? `${isolated(node.name)} inherits all alert rules.`
          : `Changed the alert rules of ${isolated(node.name)}.`,
      ),
    async saveNote({ id: node, name }, content) {
      const answer = await pipe.call('notes.save', { node, ...content })
      if (!answer.ok) return answer.fault
      const before = answer.value.before ?? noNote
      notes += 1
      return added(
        { id: -notes, run: () => pipe.call('notes.save', { node, ...before }) },
        `${isEmptyNote(content) ? 'Removed' : 'Saved'} the note on ${isolated(name)}.`,
      )
    },
    async saveTags(change) {
      const answer = await pipe.call('notes.tag', change)
      if (!answer.ok) return answer.fault
      const devices = answer.value.before
      if (devices.length === 0) return said('Nothing changed: the devices have these tags already.')
      notes += 1
      return added(
        { id: -notes, run: () => pipe.call('notes.setTags', { devices }) },
        `Changed the tags of ${many(devices.length, 'device')}.`,
      )
    },
    forget: () => acted.set({ ...acted.get(), words: '', failure: null }),
  }
}

function configuredOn<T>({ id, name }: NamedNode, what: T): Pick<CallInput<'zones.set'>, 'node' | 'nodeName'> & T {
  return { node: id, nodeName: name.slice(0, 300), ...what }
}
