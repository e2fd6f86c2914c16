export declare function planFor(machine: { platform: string; hasTools: boolean; onPath(program: string): boolean }): {
  can: string[]
  cannot: { target: string; why: string }[]
}
export declare function madeOf(folder: string, targets: string[]): { target: string; name: string }[]
export declare function usage(platform?: string): string
export declare function withoutRuntime(platform: string, reason: string): string[]
export declare function signatureLine(platform: string, env: Record<string, string | undefined>): string
export declare function feedLine(platform: string, env: Record<string, string | undefined>): string | null
export declare function canSign(key: string, env?: Record<string, string | undefined>): boolean
export declare function dropUnsigned(folder: string, names: string[]): void
export declare function watched(options: {
  program: string
  args: string[]
  env: Record<string, string | undefined>
  folders: string[]
  limit?: number
  say?(text: string): void
}): Promise<number | null>
export declare function signBeside(
  folder: string,
  names: string[],
  key: string,
  env?: Record<string, string | undefined>,
): string[]
