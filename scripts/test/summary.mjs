/**
 * Counts the results of a vitest run, from its JSON report. A file that could not be loaded has no tests: it counts as
 * one failure.
 * @param {{ testResults: { status: string, assertionResults: { status: string }[] }[] }} report
 * @returns {{ passed: number, failed: number, skipped: number }}
 */
export function countResults(report) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const { status, assertionResults } of report.testResults) {
    const before = counts.failed
    for (const { status: outcome } of assertionResults) {
      if (outcome === 'passed') counts.passed += 1
      else if (outcome === 'failed') counts.failed += 1
      else counts.skipped += 1
    }
    if (status === 'failed' && counts.failed === before) counts.failed += 1
  }
  return counts
}

/**
 * Returns the names of tests that failed first and passed on a retry.
 * @param {{ testResults: { assertionResults: { status: string, fullName: string, failureMessages: string[] }[] }[] }}
 * report
 * @returns {string[]}
 */
export function flakyTests(report) {
  return report.testResults.flatMap(({ assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
      .map(({ fullName }) => fullName),
  )
}

/**
 * Returns files whose process crashed or was killed before their tests ended, without a failed test.
 * @param {{ testResults: { name: string, status: string, message: string, assertionResults: { status: string }[] }[] }}
 * report
 * @returns {string[]}
 */
export function crashedFiles(report) {
  return report.testResults
    .filter(
      ({ status, message, assertionResults }) =>
        status === 'failed' &&
        message === '' &&
        assertionResults.some(({ status: outcome }) => outcome === 'pending') &&
        assertionResults.every(({ status: outcome }) => outcome !== 'failed'),
    )
    .map(({ name }) => name)
}

/** Returns the last line of `npm test`. */
export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}

/** Returns whether a run succeeded; one without any test did not. */
export function succeeded({ passed, failed }) {
  return failed === 0 && passed > 0
}
