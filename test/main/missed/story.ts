import type { Viewer } from './answers.ts'
import { newDisk } from './disk.ts'
import { drawsOf, type Draws } from './draws.ts'
import { buryAll, turn, type Far } from './far.ts'
import { newFleet, type Device } from './fleet.ts'
import { startLife, type Life, type Profile } from './life.ts'
import { newOracle } from './oracle.ts'
import { settle, turnedClock } from './turned.ts'
import { newWeather } from './weather.ts'

/** The result of one seed. */
export interface Ended {
  /** The errors, as text; empty without errors. */
  wrong: string[]
  /** Counts of what happened, to show that the stories are about something. */
  sums: Sums
  /** The steps, to find the reason. */
  steps: string[]
}

export interface Sums {
  /** Changes of the truth, entries of the journal, and those of them that were seen live. */
  changes: number
  entries: number
  live: number
  /** Lives of the console: one more than it died or was ended. */
  lives: number
}

interface Story {
  seed: number
  draws: Draws
  far: Far
  profile: Profile
  life: Life
  steps: string[]
  sums: Sums
}

/** Plays one seed to its end. The same seed is the same story. `from`: a profile of empty files. */
export async function play(seed: number, from: string): Promise<Ended> {
  const draws = drawsOf(seed)
  const far = farOf(draws)
  const disk = newDisk(from)
  const profile: Profile = {
    disk,
    viewers: viewersOf(draws),
    refreshMs: draws.of([2, 5, 30]) * 60_000,
    marks: new Map(),
  }
  const sums: Sums = { changes: 0, entries: 0, live: 0, lives: 1 }
  const story: Story = { seed, draws, far, profile, life: startLife(far, profile), steps: [], sums }
  try {
    if (draws.chance(0.8)) await pass(story, 5_000)
    for (let left = draws.between(4, 16); left > 0; left -= 1) await step(story)
    await comeToRest(story)
  } finally {
    await story.life.stop()
    buryAll(far)
    await settle()
    disk.remove()
  }
  return { wrong: far.oracle.wrong, sums, steps: story.steps }
}

function farOf(draws: Draws): Far {
  const sizes = Array.from({ length: draws.between(1, 3) }, () => draws.between(1, 3))
  const offer = {
    pageSize: draws.chance(0.3),
    byId: draws.chance(0.3),
    ownPage: draws.between(1, 3),
    namesTenant: draws.chance(0.7),
  }
  return {
    clock: turnedClock(),
    weather: newWeather(draws),
    fleet: newFleet(sizes, () => draws.chance(0.7)),
    offer,
    oracle: newOracle(),
    sockets: new Set(),
    tokens: 0,
    tokenSeconds: draws.of([40, 120, 3_600]),
  }
}

/** One to three connections, most of which see the same, some a part of it, with the same credentials or others. */
function viewersOf(draws: Draws): Viewer[] {
  return Array.from({ length: draws.of([1, 1, 2, 2, 3]) }, (_, at) => {
    const tenants = at === 0 || draws.chance(0.6) ? ['a', 'b', 'c'] : ['a']
    const part = at > 0 && draws.chance(0.3)
    return {
      id: `c${at}`,
      credentials: part || draws.chance(0.4) ? `k${at}` : 'k',
      tenants,
      sees: (device) => !part || device.id.endsWith('0'),
    }
  })
}

const some = ({ draws, far }: Story): Device => draws.of(far.fleet.devices as [Device, ...Device[]])

/** The possible events and their weights. */
const happenings: [share: number, name: string, run: (story: Story) => Promise<void> | void][] = [
  [30, 'turn', (story) => turn(story.far, some(story))],
  [
    6,
    'blip',
    async (story) => {
      const device = some(story)
      turn(story.far, device)
      await pass(story, story.draws.of([0, 10, 300, 2_000]))
      turn(story.far, device)
    },
  ],
  [26, 'pass', (story) => pass(story, story.draws.of([20, 100, 1_000, 3_000, 12_000, 40_000]))],
  [2, 'long', (story) => pass(story, story.draws.of([130_000, 320_000]))],
  [
    7,
    'cut',
    ({ draws, far }) =>
      [...far.sockets]
        .filter(() => draws.chance(0.7))
        .forEach((socket) => socket.cut(draws.of([1006, 1006, 1012, 4401, 4403, 4500]))),
  ],
  [
    4,
    'stall',
    ({ draws, far }) => [...far.sockets].filter(() => draws.chance(0.7)).forEach((socket) => socket.stall()),
  ],
  [3, 'complete', ({ far }) => [...far.sockets].forEach((socket) => socket.complete())],
  [
    5,
    'down',
    ({ far }) => {
      far.weather.down = true
      for (const socket of far.sockets) socket.stall()
    },
  ],
  [
    7,
    'up',
    ({ far }) => {
      far.weather.down = false
    },
  ],
  [
    5,
    'slow',
    ({ draws, far }) =>
      Object.assign(
        far.weather,
        draws.of([
          { least: 5, most: 40 },
          { least: 100, most: 4_000 },
          { least: 1_000, most: 9_000 },
          { least: 5, most: 2_000 },
        ]),
      ),
  ],
  [
    4,
    'failing',
    ({ draws, far }) =>
      Object.assign(far.weather, {
        failing: draws.of([0, 0.1, 0.4]),
        brokenTenant: draws.of([null, null, 'a', 'b']),
        twice: draws.of([0, 0.5]),
      }),
  ],
  [4, 'busy', ({ draws, life }) => life.busy(draws.of([200, 2_000, 8_000]))],
  [
    4,
    'disk',
    ({ draws, profile: { disk } }) =>
      void Object.assign(disk, { journal: draws.of(['takes', 'full']), cache: draws.of(['takes', 'full']) }),
  ],
  [5, 'disk is well', ({ profile: { disk } }) => void Object.assign(disk, { journal: 'takes', cache: 'takes' })],
  [10, 'crash soon', ({ draws, life }) => life.dieAt(draws.between(1, 25))],
  [3, 'crash', ({ life }) => life.die()],
  [3, 'quit', quit],
  [
    3,
    'sleep',
    async ({ draws, far }) => {
      const parts = draws.between(1, 3)
      for (let part = 0; part < parts; part += 1) {
        far.clock.sleep(draws.between(10_000, 900_000))
        if (draws.chance(0.7)) turn(far, draws.of(far.fleet.devices as [Device, ...Device[]]))
      }
      far.clock.sleep(10_000)
    },
  ],
  [
    3,
    'asked',
    ({ draws, life, profile }) =>
      life
        .runner(draws.of(profile.viewers as [Viewer, ...Viewer[]]).id)
        ?.sync.refresh(draws.of([null, new Set(['a'])])),
  ],
  // What the disk refuses just then is lost.
  [
    3,
    'pause',
    ({ draws, life, profile }) =>
      void (takesAll(profile) && life.pause(draws.of(profile.viewers as [Viewer, ...Viewer[]]).id)),
  ],
  [4, 'resume', ({ life, profile }) => profile.viewers.forEach(({ id }) => life.resume(id))],
]
const takesAll = ({ disk }: Profile): boolean => disk.journal === 'takes' && disk.cache === 'takes'

/** After an orderly end it has lost no event, unless the disk is full. */
async function quit({ life, far, profile }: Story): Promise<void> {
  const takes = takesAll(profile)
  const mayDie = life.isDoomed()
  await life.stop()
  if (takes && !mayDie) for (const device of far.fleet.devices) far.oracle.quiet(device, life.journalled(device))
}

/** From this seed on the network blocks sockets for a while, whereas requests pass. */
export const firstBlocked = 1_000_000
const withBlocks: typeof happenings = [
  ...happenings,
  [
    14,
    'blocked',
    ({ draws, far }) => {
      far.weather.blocks = draws.of(['refuses', 'is deaf', 'cuts'] as const)
      for (const socket of far.sockets) socket.cut(1006)
    },
  ],
  [
    10,
    'blocked for long',
    async (story) => {
      story.far.weather.blocks = story.draws.of(['refuses', 'is deaf', 'cuts'] as const)
      for (const socket of story.far.sockets) socket.cut(1006)
      await pass(story, 130_000)
    },
  ],
  [8, 'minutes', (story) => pass(story, 130_000)],
  [
    6,
    'not blocked',
    ({ far }) => {
      far.weather.blocks = null
    },
  ],
]

async function step(story: Story): Promise<void> {
  const all = story.seed >= firstBlocked ? withBlocks : happenings
  let drawn = story.draws.below(all.reduce((sum, [share]) => sum + share, 0))
  for (const [share, name, run] of all) {
    drawn -= share
    if (drawn >= 0) continue
    story.steps.push(`${story.far.clock.now() % 1e8} ${name}`)
    await run(story)
    break
  }
  await settle()
  await lookOn(story)
}

async function pass(story: Story, ms: number): Promise<void> {
  await story.far.clock.advance(ms)
}

/** Where a life has ended another one begins, after a while; where one goes on in peace, the journal is counted. */
async function lookOn(story: Story): Promise<void> {
  const { far, life, draws, profile } = story
  if (!life.isDead()) {
    if (!life.isQuiet()) return
    for (const device of far.fleet.devices)
      if (far.oracle.isStirred(device)) far.oracle.quiet(device, life.journalled(device))
    return
  }
  await settle()
  buryAll(far)
  for (const device of far.fleet.devices) far.oracle.ended(device, life.journalled(device))
  profile.disk.lose(draws.of(['nothing', 'nothing', 'power', 'cache']))
  for (let some = draws.below(3); some > 0; some -= 1) {
    turn(far, draws.of(far.fleet.devices as [Device, ...Device[]]))
    await pass(story, draws.of([0, 5_000, 300_000]))
  }
  story.sums.lives += 1
  story.life = startLife(far, profile)
  if (draws.chance(0.5)) await pass(story, draws.of([100, 1_000, 5_000]))
}

/** Ends all misfortune, processes what has arrived, syncs once more, and compares the journal with the truth. */
async function comeToRest(story: Story): Promise<void> {
  const { far, profile } = story
  Object.assign(far.weather, {
    down: false,
    failing: 0,
    brokenTenant: null,
    least: 5,
    most: 40,
    twice: 0,
    blocks: null,
  })
  Object.assign(profile.disk, { journal: 'takes', cache: 'takes' })
  story.life.dieAt(Infinity)
  await settle()
  if (story.life.isDead()) await lookOn(story)
  const { life } = story
  // What is being paused has been by then.
  await pass(story, 9_000)
  for (const { id } of profile.viewers) life.resume(id)
  await pass(story, 25_000)
  for (const { id } of profile.viewers) {
    life.runner(id)?.sync.retry()
    life.runner(id)?.sync.refresh(null)
  }
  // A list that came empty is asked for again after seconds, and a socket that takes over from readings is compared before it vouches.
  await pass(story, 20_000)
  await lookOn(story)
  for (const device of far.fleet.devices) end(story, device)
}

function end({ far: { oracle }, sums, life }: Story, device: Device): void {
  const journal = life.journalled(device)
  oracle.end(device, journal)
  const status = life.calls.device({ key: device.key }).device?.row.status
  if (status !== (journal.last === true ? 'connected' : 'disconnected'))
    oracle.wrong.push(`${device.id}: in the end it is shown as ${status}`)
  sums.changes += device.changes.length
  sums.entries += journal.entries.length
  sums.live += journal.entries.filter(({ notBefore }) => notBefore === null).length
}
