export declare const startFlags: { name: string; value: string | null; text: string }[]
export declare function usage(): string
export declare function readFlags(argv: string[]): { help: boolean; args: string[] } | { error: string }
