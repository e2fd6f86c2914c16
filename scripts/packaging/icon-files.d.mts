export declare const assets: string
export declare const sizes: number[]
export declare const icoSizes: number[]
export declare const icnsTypes: [type: string, size: number][]
export declare function sourceStamp(folder?: string): string
export declare function ico(images: ({ size: number; png: Uint8Array } | { size: number; rgba: Uint8Array })[]): Buffer
export declare function icns(entries: [type: string, png: Uint8Array][]): Buffer
