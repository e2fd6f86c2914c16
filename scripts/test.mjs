import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { ensureInstalled, node24, root } from './setup.mjs'

ensureInstalled()
const { build } = await import('./build/build.mjs')
const { runChecks } = await import('./check.mjs')
const { noRuntime, runtimeProject } = await import('./test/electron.mjs')
const { installBrowser, installImageTools, installKeychain } = await import('./test/tools.mjs')
const { crashedFiles, flakyTests, succeeded, summaryLine, countResults } = await import('./test/summary.mjs')

const node = node24()
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs')
const reportFile = path.join(root, 'test-results', 'vitest.json')
const total = { passed: 0, failed: 0, skipped: 0 }

const browser = await installBrowser()
installKeychain()
installImageTools()
count(await tryBuild())
for (const { ok } of runChecks(node)) count(ok)
// Without a browser, or a runtime of Electron, its tests are not run, and each of them counts as skipped.
const withoutBrowser = 'reason' in browser
const missingRuntimeLines = noRuntime()
runTests(process.argv.slice(2), [
  ...(withoutBrowser ? ['--project=!e2e*', '--project=!chromium'] : []),
  ...(missingRuntimeLines === null ? [] : [`--project=!${runtimeProject}`]),
])
if (withoutBrowser) skip(['chromium', 'e2e', 'e2e-night', 'e2e-electron', 'e2e-electron-night'], browser.reason)
if (missingRuntimeLines !== null || withoutBrowser) skip([runtimeProject], missingRuntimeLines ?? browser.reason)
if (total.passed + total.failed === 0) console.log('No test ran.')
process.exitCode = succeeded(total) ? 0 : 1
console.log(summaryLine(total))

function count(ok) {
  total[ok ? 'passed' : 'failed'] += 1
}

async function tryBuild() {
  try {
    await build({ log: console.log })
    console.log('build: passed')
    return true
  } catch (error) {
    console.log(`build: FAILED\n${error instanceof Error ? error.message : String(error)}`)
    return false
  }
}

/** @param {string[]} extra arguments of the command line, for vitest  @param {string[]} projects which ones are run */
function runTests(extra, projects) {
  let { status, report } = runVitest([...projects, ...extra])
  const crashed = crashedFiles(report)
  if (crashed.length > 0) {
    for (const name of crashed) console.log(`its process crashed, so it runs once more: ${path.relative(root, name)}`)
    const repeated = runVitest([...projects, ...crashed])
    status = repeated.status
    report = {
      testResults: [
        ...report.testResults.filter(({ name }) => !crashed.includes(name)),
        ...repeated.report.testResults,
      ],
    }
  }
  const counts = countResults(report)
  for (const name of flakyTests(report)) console.log(`flaky, passed on a retry only: ${name}`)
  // An error outside any test fails the run too.
  if (status !== 0 && counts.failed === 0) counts.failed = 1
  for (const [outcome, number] of Object.entries(counts)) total[outcome] += number
}

/** @param {string[]} args */
function runVitest(args) {
  rmSync(reportFile, { force: true })
  mkdirSync(path.dirname(reportFile), { recursive: true })
  const reports = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
  const { status } = spawnSync(node, [vitest, 'run', ...reports, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: environment(),
  })
  return { status, report: existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')) : { testResults: [] } }
}

function environment() {
  return 'path' in browser
    ? { ...process.env, CHROMIUM_PATH: browser.path, CHROMIUM_HEADLESS_PATH: browser.headless }
    : process.env
}

/** @param {string[]} projects  @param {string} reason */
function skip(projects, reason) {
  const { stdout } = spawnSync(node, [vitest, 'list', ...projects.map((name) => `--project=${name}`), '--json'], {
    cwd: root,
    encoding: 'utf8',
  })
  const listed = JSON.parse(stdout.slice(stdout.indexOf('[')))
  if (projects.includes(runtimeProject))
    console.log(`skipped: ${listed.length} tests on Electron’s own runtime (${reason})`)
  else for (const { name } of listed) console.log(`skipped: ${name} (${reason})`)
  total.skipped += listed.length
}
