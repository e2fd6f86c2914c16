export declare function usage(): string
export declare function readFlags(argv: string[]): { help: boolean; open: boolean; devices: number } | { error: string }
