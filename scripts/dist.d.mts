export declare function planFor(machine: {
  platform: string
  hasTools: boolean
  onPath(program: string): boolean
}): { can: string[]; cannot: { target: string; why: string }[] }
export declare function madeOf(folder: string, targets: string[]): { target: string; name: string }[]
export declare function signatureLine(platform: string, env: Record<string, string | undefined>): string
