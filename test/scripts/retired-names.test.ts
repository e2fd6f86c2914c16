import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Names that are gone, as whole words. A name joins the list when its last use goes. */
const calls = [
  'notices.dismiss',
  'tellings.pause',
  'tellings.shown',
  'columns.price',
  'quiet.save',
  'quiet.remove',
  'rules.set',
  'incidents.release',
]
const settings = [
  'gatherSeconds',
  'foldLeast',
  'foldPercent',
  'tellOffline',
  'tellRecovered',
  'tellBlind',
  'refreshMinutes',
  'ceilingPercent',
]
const fields = ['tellings', 'backNotBefore', 'backToldAt', 'laidFor', 'lastBack']
const files = ['readings-only', 'left-secrets', 'lost-time', 'set-back']
const identifiers = [
  'LaidDown',
  'Tellings',
  'ToldAgain',
  'QuietWindow',
  'quietWindow',
  'Veil',
  'alertsDesk',
  'goingBy',
  'whatIsHere',
  'sayAtStart',
  'tellSoon',
  'setRules',
  'momentMark',
  'writeMarks',
  'deliverySentences',
  'blinded',
  'KeptView',
  'toldNow',
  'toldIds',
  'DiagnosticsRoom',
  'wantsFocus',
  'waitsForOperator',
  'isHeldBack',
  'leavesOutSpares',
  'usualColumns',
  'shownNotices',
  'cameFrom',
  'wentTo',
  'begunBy',
  'refuseStrange',
  'narrowOwn',
  'putDamagedAside',
  'keptFree',
  'sendWhatMay',
  'beneathCeiling',
  'namesAnother',
  'untoldLifeS',
  'whyDisabled',
  'installKept',
  'againstLine',
  'againstAny',
  'toldAs',
  'tellsOfDepth',
  'tellsOfAccess',
  'sendAsTaken',
  'sendWithFigures',
  'lookAtSecrets',
  'notifyHeard',
  'timeTold',
  'saidSince',
  'usualSubscription',
  'usualPageSize',
  'isRefused',
  'listenForTheEnd',
  'overlongFault',
  'mostByIds',
  'onUntold',
  'troubleWith',
  'ofOneStart',
  'callingIn',
  'twofold',
]
const labels = [
  'Being told',
  'Wait before telling',
  'Wait after a return',
  'Quiet window',
  'quiet window',
  'Holds now until',
  'Laid down here',
  'Points kept for you',
  'Full reading every',
  'Last full reading',
  'Holding for points',
  'Where things are kept',
  'What this computer trusts',
  'Token address',
  'Live socket',
  'Start of this run',
  'Nothing is called so',
  'Nothing calls for you',
  'Undo the last act',
  'No device in the estate',
  'Open it at the start',
  'With columns of its own',
  'When to tell',
  'Models that are not told',
  'For whoever comes after you',
  'It is not Muster',
  'Several places',
  'Time in which changes count',
  'The test went well',
  'Down now',
  'Cannot see',
  'Take away',
  'Say which',
  'last known figures',
  'stand for themselves',
]
const retired = [...calls, ...settings, ...fields, ...files, ...identifiers, ...labels]
/** Files that read what former versions wrote, the tests of that, and others that only look alike. */
const exempt =
  /^(?:src-main\/settings\/settings\.ts|src-main\/storage\/journal\/steps\/(?:renamed|steps)\.ts|test\/main\/settings\/settings\.test\.ts|test\/main\/storage\/.*|test\/main\/support\/pseudonyms\.test\.ts|test\/scripts\/retired-names\.test\.ts)$/

test('no source, test or document has a retired name', () => {
  const words = new RegExp(
    `(?<![\\w.-])(?:${retired.map((name) => name.replace('.', '\\.')).join('|')})(?![\\w-])`,
    'u',
  )
  const sources = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.md', '*.css', '*.html'], {
    encoding: 'utf8',
  })
  const named = sources
    .trim()
    .split('\n')
    .filter((file) => !exempt.test(file))
    .flatMap((file) => {
      const found = words.exec(readFileSync(file, 'utf8'))
      return found === null ? [] : [`${file}: ${found[0]}`]
    })
  expect(named).toEqual([])
})
