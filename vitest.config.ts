import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/**
 * Node gives everybody the CommonJS build of graphql; Vite would give our own files the other one, and two copies of
 * graphql in one process refuse each other's schemas.
 */
const resolve = {
  alias: [
    { find: /^graphql$/, replacement: 'graphql/index.js' },
    // Outside Electron the package would start a download without an end.
    { find: /^electron$/, replacement: fileURLToPath(new URL('test/support/no-electron.ts', import.meta.url)) },
  ],
}

/**
 * Tests of the web shell alone: its browser, its tabs and their sessions; two of its processes as a team; the service's
 * playground knows no shell; and the whole window under axe, which is the same page in all shells, takes six minutes.
 */
const onWebAlone = [
  'test/e2e/accessibility.test.ts',
  'test/e2e/demo.test.ts',
  'test/e2e/playground.test.ts',
  'test/e2e/sign-in.test.ts',
  'test/e2e/team-acting.test.ts',
  'test/e2e/team-handover.test.ts',
  'test/e2e/team-jobs.test.ts',
  'test/e2e/team.test.ts',
]
/**
 * What differs between the shells: the pipe and what is sent over it, secrets, files and the clipboard, notifications, windows. All
 * else is the same page over the same handlers, and runs on the web shell; on both with `MUSTER_TEST_SHELLS=both`.
 */
const onBoth = [
  'actions',
  'connection-form',
  'desktop*',
  'diagnostics',
  'faults',
  'first-sync',
  'incidents',
  'keyboard',
  'live',
  'notifications',
  'query',
  'query-kept',
  'report',
  'secrets',
  'settings',
  'updates*',
].map((name) => `test/e2e/${name}.test.ts`)
/** What the stand-in for Electron alone can do, and tests with a clock or a keychain of their own. */
const notOnRuntime = [
  'test/e2e/actions-interrupted.test.ts',
  'test/e2e/actions-rolling.test.ts',
  'test/e2e/desktop*.test.ts',
  'test/e2e/gauge.test.ts',
  'test/e2e/live.test.ts',
  'test/e2e/updates*.test.ts',
]

const runsAll = process.env['MUSTER_TEST_SHELLS'] === 'both'

function endToEnd(shell: 'web' | 'electron' | 'electron-runtime', what: 'rooms' | 'night', groupOrder: number) {
  const others =
    shell === 'web'
      ? ['test/e2e/desktop*.test.ts', 'test/e2e/updates.test.ts']
      : shell === 'electron'
        ? onWebAlone
        : [...notOnRuntime, ...onWebAlone]
  return {
    resolve,
    test: {
      name: `${shell === 'web' ? 'e2e' : `e2e-${shell}`}${what === 'night' ? '-night' : ''}`,
      env: { MUSTER_TEST_SHELL: shell },
      include:
        what === 'night'
          ? ['test/e2e/night.test.ts']
          : shell === 'electron' && !runsAll
            ? onBoth
            : ['test/e2e/**/*.test.ts'],
      exclude: what === 'night' ? [] : [...others, 'test/e2e/night.test.ts'],
      environment: 'node' as const,
      testTimeout: 60_000,
      hookTimeout: 60_000,
      // Two browsers and two shells share the machine: what fails is tried once more, and scripts/test.mjs names what passed only then.
      retry: 1,
      sequence: { groupOrder },
      maxWorkers: what === 'night' || shell === 'electron-runtime' ? 1 : 2,
      expect: { poll: { timeout: 15_000, interval: 20 } },
    },
  }
}

/** Unit and contract tests need no build; end-to-end tests use what `scripts/build.mjs` built (scripts/test.mjs does). */
export default defineConfig({
  test: {
    projects: [
      {
        resolve,
        test: {
          name: 'unit',
          include: ['test/{shared,main,electron,service,scripts,renderer}/**/*.test.ts'],
          environment: 'node',
          // A guard against what hangs, and no measure: some take seconds, and a busy machine makes them several times that.
          testTimeout: 20_000,
          maxWorkers: 2,
        },
      },
      {
        resolve,
        test: {
          name: 'contract',
          include: ['test/contract/**/*.test.ts'],
          environment: 'node',
          testTimeout: 30_000,
          // They wait more than they compute.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      // The tests' Chromium as the network, which is Electron's: it needs a browser, and nothing that is built.
      {
        resolve,
        test: {
          name: 'chromium',
          include: ['test/chromium/**/*.test.ts'],
          retry: 1,
          environment: 'node',
          testTimeout: 30_000,
          hookTimeout: 30_000,
          maxWorkers: 2,
        },
      },
      // What is built, packed round a folder that stands in for Electron's runtime.
      {
        resolve,
        test: {
          name: 'packages',
          include: ['test/packages/**/*.test.ts'],
          environment: 'node',
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
      // On the web shell, and on the built main of the Electron shell over the stand-in. After the
      // others, so that what is measured in seconds is not measured beside them; two browsers at most. The night of forty
      // connections has the machine to itself.
      endToEnd('web', 'rooms', 2),
      endToEnd('electron', 'rooms', 3),
      endToEnd('web', 'night', 4),
      endToEnd('electron', 'night', 5),
      // On Electron's own runtime, where it is there (scripts/test.mjs).
      endToEnd('electron-runtime', 'rooms', 6),
    ],
  },
})
