export declare const targetsOf: Record<string, string[]>
export declare function identity(
  platform: string,
  env: Record<string, string | undefined>,
): { signed: boolean; wanted: string }
export declare function configFor(machine: {
  platform: string
  env: Record<string, string | undefined>
  electronDist: string
  output?: string
}): Record<string, unknown>
export declare function feedProblem(text: string): string | null
export declare function pack(options: {
  config: object
  targets: string[]
  platform?: string
  arch?: 'x64' | 'arm64'
  inspect?: (what: unknown) => Promise<boolean>
}): Promise<string[]>
