export declare function openWeb(node: string, entry: string, args: string[]): Promise<number>
export declare function openDesktop(
  program: string,
  root: string,
  args: string[],
  options?: { limit?: number; patience?: number; log?: (line: string) => void },
): Promise<{ code: number } | { reason: string }>
