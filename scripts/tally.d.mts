export interface Tally {
  passed: number
  failed: number
  skipped: number
}
export declare function tallyReport(report: {
  testResults: { status: string; assertionResults: { status: string }[] }[]
}): Tally
export declare function passedAtSecondTry(report: {
  testResults: { assertionResults: { status: string; fullName: string; failureMessages: string[] }[] }[]
}): string[]
export declare function filesThatDied(report: {
  testResults: { name: string; status: string; message: string; assertionResults: { status: string }[] }[]
}): string[]
export declare function tallyLine(tally: Tally): string
export declare function succeeded(tally: Pick<Tally, 'passed' | 'failed'>): boolean
