/// <reference types="vite/client" />
import 'react'

declare module 'react' {
  interface CSSProperties {
    /** Custom properties of the window's own style sheets. */
    [property: `--${string}`]: string | number | undefined
  }
}
