export declare function planPackages(machine: {
  platform: string
  hasTools: boolean
  onPath(program: string): boolean
}): {
  can: string[]
  cannot: { target: string; reason: string }[]
}
export declare function packagesIn(folder: string, targets: string[]): { target: string; name: string }[]
export declare function usage(platform?: string): string
export declare function missingRuntimeLines(platform: string, reason: string): string[]
export declare function signatureLine(platform: string, env: Record<string, string | undefined>): string
export declare function feedLine(platform: string, env: Record<string, string | undefined>): string | null
