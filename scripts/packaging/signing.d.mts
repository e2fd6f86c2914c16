export declare function canSign(key: string, env?: Record<string, string | undefined>): boolean
export declare function dropUnsigned(folder: string, names: string[]): void
export declare function signBeside(
  folder: string,
  names: string[],
  key: string,
  env?: Record<string, string | undefined>,
): string[]
