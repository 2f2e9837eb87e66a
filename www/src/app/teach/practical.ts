/** Answers to practical questions about the use in a classroom. */

export interface Topic {
  title: string
  text: string
}

export const practical: readonly Topic[] = [
  {
    title: 'Nothing to install, no account',
    text: 'Everything runs in the browser tab. Students open a link; a link contains the exhibit with all its settings.',
  },
  {
    title: 'No data leaves the computer',
    text: 'Training, texts and runs stay in the browser. The Content-Security-Policy of the page allows connections to its own host only, and there is no server side.',
  },
  {
    title: 'Browsers',
    text: 'The page needs a browser of 2024 or newer: Chrome or Edge 123, Firefox 125, Safari 17.5. The automatic tests run in Chromium on Linux, and a smoke test in Firefox and WebKitGTK; Safari, macOS and Windows are not tested. Try the exhibits of the lesson in your browser once.',
  },
  {
    title: 'Slow computers',
    text: 'Two processor cores are enough for all lessons. If the engine report at the top right shows one thread, reload the page once. The preset “Tiny” of the language model is for small devices. A plugged-in laptop is faster than one on battery.',
  },
  {
    title: 'Memory',
    text: 'The training module of a tab uses at most 1 GiB. Close other exhibits in other tabs, since each tab trains on its own.',
  },
  {
    title: 'Without the network',
    text: 'A service worker keeps the files that were loaded. Open each exhibit of the lesson once while the computer is online; afterwards these exhibits open offline. Private windows may not keep files.',
  },
  {
    title: 'Where runs are kept',
    text: 'The browser stores the newest 24 runs and all pinned runs; “Runs” lists them. On shared computers, “Export” downloads a checkpoint, which “Runs” opens again on any computer.',
  },
  {
    title: 'It does not move',
    text: 'A hidden tab hardly trains: keep it visible. If the system asks for reduced motion, training starts only with the button “Train”.',
  },
]
