/** What `electron` is under vitest. Electron's parts come to our code as arguments; whatever imports it is not to be loaded here. */
throw new Error('electron was imported in a test; only the stand-in has it')
