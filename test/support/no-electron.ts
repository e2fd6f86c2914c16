/** The module `electron` under vitest. Electron's parts come to our code as arguments; a file that imports it is not to be loaded here. */
throw new Error('electron was imported in a test; only the stand-in has it')
