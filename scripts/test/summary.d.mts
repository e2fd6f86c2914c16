export interface TestCounts {
  passed: number
  failed: number
  skipped: number
}
export declare function countResults(report: {
  testResults: { status: string; assertionResults: { status: string }[] }[]
}): TestCounts
export declare function flakyTests(report: {
  testResults: { assertionResults: { status: string; fullName: string; failureMessages: string[] }[] }[]
}): string[]
export declare function crashedFiles(report: {
  testResults: { name: string; status: string; message: string; assertionResults: { status: string }[] }[]
}): string[]
export declare function summaryLine(counts: TestCounts): string
export declare function succeeded(counts: Pick<TestCounts, 'passed' | 'failed'>): boolean
