import { withExtraWord, choice, share, someOf, whole, yesOrNo } from './option.ts'
import type { Option, ValueOf } from './option.ts'
import { startRandom } from '../../world/random.ts'

/** The specification's eight fields of a device without its id. */
const fields = ['name', 'hardwareModel', 'connected', 'lastDetected', 'lastConfigRequestDate', 'site', 'room'] as const
const NO_LIMIT = 1_000_000

/**
 * Every point that the contrary profile can answer differently, by its name on the command line and in tests (README.md
 * describes them).
 */
export const contraryOptions = {
  schema: choice('full', 'minimal'),
  introspection: yesOrNo(true),
  http: choice('both', 'h2'),
  maxPageSize: whole(5000, [1, 3, 25, 50, 100], 1),
  maxPageSizeFrom: whole(0, [1, 2, 5]),
  pageRefusalStatus: choice(200, 400),
  pageRefusalCode: choice('BAD_USER_INPUT', '', 'INVALID_PAGE_SIZE', 'BAD_REQUEST', 'INTERNAL_SERVER_ERROR'),
  pageRefusalWords: choice('between', 'at-most', 'none'),
  pageInfo: choice('full', 'no-totals', 'token-only'),
  missingFields: someOf(fields),
  streamIdsPerSubscription: whole(NO_LIMIT, [1, 3, 100, 300], 1),
  streamIdsPerSocket: whole(NO_LIMIT, [1, 10, 300], 1),
  streamIdsPerSet: whole(NO_LIMIT, [1, 10, 300], 1),
  streamRefusalCode: choice(
    'BAD_USER_INPUT',
    '',
    'SUBSCRIPTION_LIMIT_EXCEEDED',
    'BAD_REQUEST',
    'FORBIDDEN',
    'INTERNAL_SERVER_ERROR',
  ),
  streamRefusalWords: choice('number', 'none'),
  streamRefusalForm: choice('error', 'next'),
  streamForbids: whole(0, [1, 2]),
  costHeaders: yesOrNo(true),
  costField: yesOrNo(true),
  emptyDevices: withExtraWord(choice('never', 'errors', 'errors-without-path', 'error-field'), 'alone'),
  emptyTenants: choice('never', 'errors', 'alone'),
  emptyAfterMs: whole(0, [15_000, 60_000]),
  emptyForMs: whole(NO_LIMIT, [1_000, 60_000]),
  unresolvedSites: share(0.1, 0.5),
  nullEvents: share(0.2, 1),
  nameEvents: share(0.2, 1),
  socketEndCode: choice(1006, 1001, 1011, 1012, 1013, 4400, 4401, 4403, 4408, 4409, 4429, 4500),
  socketEndEveryMs: whole(0, [20_000, 60_000]),
  socketEndReason: choice('', 'Closed by the service', 'Internal error: token or limit'),
  upgradeRefusals: whole(0, [1, 3]),
  upgradeRefusalStatus: choice(503, 401, 403, 429, 500, 404),
  initRefusals: whole(0, [1, 3]),
  initRefusalCode: choice(4403, 4400, 4401, 4408, 4429, 1011, 1013),
  connectedAs: choice('boolean', 'text', 'upper-case', 'number', 'word'),
  timesAs: choice('utc', 'offset', 'seconds', 'milliseconds', 'text-seconds'),
  numbersAs: choice('number', 'text'),
  lastPage: choice('plain', 'token-remains'),
  firstPage: choice('plain', 'empty'),
  pageOrder: choice('same', 'turned'),
  pageOverlap: whole(0, [1, 3]),
  tokenForm: choice('plain', 'long', 'number', 'odd'),
  errorShape: choice('plain', 'message-only', 'null-extensions', 'more'),
  contentType: choice('plain', 'graphql-response', 'text'),
  exhaustedStatus: choice(429, 503, 400, 403, 200),
  exhaustedCode: choice('RATE_LIMITED', '', 'QUOTA_EXCEEDED', 'FORBIDDEN'),
  exhaustedWords: choice('limit', 'quota', 'none'),
  retryAfter: yesOrNo(true),
  costFactor: choice(1, 0.1, 3, 10),
  resetAs: choice('seconds', 'epoch'),
  expiresIn: choice('number', 'text', 'missing'),
  tokenType: choice('Bearer', 'bearer', 'missing'),
  regions: choice('plain', 'null', 'null-id', 'unknown'),
  nullTenants: whole(0, [1, 2]),
  clockSkewMs: whole(0, [600_000, -600_000, 86_400_000], -Number.MAX_SAFE_INTEGER),
  // New points are appended, so that a seed's draws for the others stay the same.
  tokenLifeMs: whole(0, [500, 10_000]),
  tokenRepeats: yesOrNo(false),
  nullEdges: share(0.05, 0.3),
  nullNames: share(0.1, 0.5),
  orderChanges: share(0.1, 0.5),
  sharedIds: yesOrNo(false),
  idTypes: choice('usual', 'swapped'),
  socketOpens: choice('usual', 'deaf', 'other-protocol'),
  eventForm: choice('plain', 'list', 'no-state', 'no-device'),
  // Only on request: a temporary outage does not make answers more contrary.
  awayFor: whole(0, []),
  tokenAwayFor: whole(0, []),
  awayStatus: choice(503, 502, 504, 429),
  awaySeconds: whole(0, []),
  accounts: yesOrNo(true),
  mutations: choice('usual', 'none', 'other-names', 'room-uuid'),
  mutationRole: choice('usual', 'admin', 'none'),
  forbiddenStatus: choice(200, 403),
  actionAnswers: choice('plain', 'no-words', 'null'),
  eventPlaces: choice('ids', 'null', 'unknown'),
  placeFields: choice('both', 'own', 'twin', 'none'),
  insights: choice('usual', 'none', 'errors', 'null', 'other-names'),
} as const satisfies Record<
  string,
  Option<never> | Option<string> | Option<number> | Option<boolean> | Option<readonly string[]>
>

export type ContraryName = keyof typeof contraryOptions
export type Answers = { -readonly [Name in ContraryName]: ValueOf<(typeof contraryOptions)[Name]> }

/** Returns the service's own answers, as in the other profiles. */
export function usualAnswers(): Answers {
  return fromEach((name) => contraryOptions[name].usual)
}

/**
 * Returns a complete set of answers from the seed. Sets differ in how contrary they are, so that some seeds differ in
 * only one or two points.
 */
export function drawAnswers(seed: number): Answers {
  const random = startRandom(seed)
  const likelihood = random.pick([0.04, 0.1, 0.3, 0.6])
  // Each point takes two draws, so that a new point changes no other.
  return fromEach((name) => {
    const [isUnusual, at] = [random.chance(likelihood), random.next()]
    const { usual, alternatives } = contraryOptions[name]
    return isUnusual ? (alternatives[Math.floor(at * alternatives.length)] ?? usual) : usual
  })
}

/** The names of all points, in the order of the table. */
export const contraryNames = Object.keys(contraryOptions).filter((name) => isContraryName(name))

export function isContraryName(name: string): name is ContraryName {
  return Object.hasOwn(contraryOptions, name)
}

function fromEach(answer: (name: ContraryName) => unknown): Answers {
  // The table gives each name a value of its own type, which a list of pairs loses.
  return Object.fromEntries(contraryNames.map((name) => [name, answer(name)])) as Answers
}
